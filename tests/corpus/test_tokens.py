"""Counting word pieces: as the embedder's tokenizer does, but fast."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from glossator.corpus.tokens import count, tokenizer

_TEXTS = st.text() | st.text(st.characters(max_codepoint=0x7F)) | st.text("aé e\u0301\u3000日 \x85\x1c-\"'_.９\n")


@settings(deadline=None)  # a busy machine is no fault
@given(_TEXTS)
@example("x" * 200 + " " + "灯台守" * 40)
@example("a\x00b a\tb\r\nc")
def test_the_count_is_the_tokenizers(text: str) -> None:
    assert count(text) == len(tokenizer().encode(text, add_special_tokens=False).ids)
