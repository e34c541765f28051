"""Word pieces: how long a text is for the default embedder, and what the embedder is fed."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# Words of plain ASCII, and in other text what stands between spaces: no piece reaches over their ends.
_PLAIN = re.compile(r"[\t\n\r -~]*")
_WORD = re.compile(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]")
_SPACED = re.compile(r"[^\t\n\r ]+")
_MAX_KNOWN = 64  # characters of a word whose count is remembered
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
    words = _WORD if _PLAIN.fullmatch(text) else _SPACED
    return sum(_known(word) if len(word) <= _MAX_KNOWN else _pieces(word) for word in words.findall(text))


@lru_cache(maxsize=65_536)
def _known(word: str) -> int:
    """Chunking counts the same text again and again, and most of its words have been counted before."""
    return _pieces(word)


def _pieces(word: str) -> int:
    return len(tokenizer().encode(word, add_special_tokens=False).ids)
