"""Word pieces: how long a text is for the default embedder, and what the embedder is fed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

VOCABULARY = Path(__file__).parent / "data" / "minilm-vocab.txt"  # BERT uncased, 30,522 pieces


@lru_cache(maxsize=1)
def tokenizer() -> Tokenizer:
    """The WordPiece tokenizer of all-MiniLM-L6-v2, neither truncating nor padding."""
    from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
    from tokenizers.models import WordPiece

    pieces = VOCABULARY.read_text(encoding="utf-8").splitlines()
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    result = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    result.normalizer = normalizers.BertNormalizer(lowercase=True)
    result.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = [("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])]
    result.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=special)
    return result


def count(text: str) -> int:
    """How many word pieces `text` has, without the two that frame it."""
    return len(tokenizer().encode(text, add_special_tokens=False).ids)
