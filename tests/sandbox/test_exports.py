from __future__ import annotations

import subprocess
import sys

from glossator import sandbox


def test_the_public_names_are_what_is_visible() -> None:
    assert sandbox.__all__ == sorted(sandbox.__all__)
    assert dir(sandbox) == sandbox.__all__
    for name in sandbox.__all__:
        assert getattr(sandbox, name).__name__ == name


def test_the_host_side_is_light() -> None:
    program = "import sys; from glossator.sandbox import Sandbox; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"RestrictedPython", "lancedb", "pyarrow", "pydantic", "numpy"} & set(loaded)
