"""The built-in embedder: what its vectors depend on, and what they cost."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from glossator.corpus import MiniLM

LONG = "The ferry to the island leaves the northern pier at noon, and the pilot waits for the tide. " * 30


def test_a_vector_depends_on_its_text_alone() -> None:
    model = MiniLM()
    texts = ["The dam was built in 1931.", LONG, "A toll of two shillings", ""]
    together = model.embed(texts)
    assert together.shape == (4, 384)
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-5)
    for text, vector in zip(texts, together, strict=True):
        assert np.array_equal(model.embed([text])[0], vector)
    assert model.embed([]).shape == (0, 384)


def test_near_texts_have_near_vectors() -> None:
    ask, near, far = MiniLM().embed(
        ["When was the dam built?", "The dam was finished in 1931.", "Cheese is made of milk."]
    )
    assert ask @ near > ask @ far + 0.3


@pytest.mark.slow
def test_many_long_texts_in_many_threads_take_little_memory() -> None:
    code = f"""if True:
        import resource
        from concurrent.futures import ThreadPoolExecutor
        from glossator.corpus import MiniLM
        model = MiniLM()
        for _ in range(6):  # a thread of its own each time
            with ThreadPoolExecutor(1) as pool:
                pool.submit(model.embed, [{LONG!r}] * 16).result()
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 420  # MiB
