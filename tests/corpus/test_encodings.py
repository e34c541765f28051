from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.corpus.encodings import decode, is_text

POLISH = "Zażółć gęślą jaźń. Książka leży na stole, a pies śpi obok łóżka."
RUSSIAN = "Новосибирский склад стоит на Красном проспекте. Ключи хранит Мария Ежова."
TURKISH = "İstanbul'da güneşli bir gün, çocuklar şarkı söylüyor ve ağaçların altında oynuyor."
GERMAN = "Die schöne Frau trank Kaffee für 15,50 € – „köstlich“, sagte sie."
GREEK = "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας και η μεγαλύτερη πόλη."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"),
        ("können", "cp1252"),
        (POLISH, "cp1250"),
        (POLISH, "iso8859-2"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (TURKISH, "cp1254"),
        (GREEK, "cp1253"),
        ("Zoë Ångström était là", "mac_roman"),
        ("北港では国際標準化された秤を使う。秤の点検は毎年六月に行う。", "shift_jis"),
        ("东仓的温度记录仪每周五更换电池。钥匙由陈岚保管。", "gbk"),
        (GERMAN, "utf-16"),
        ("plain words without a mark, in sixteen bits", "utf-16-le"),
        ("plain words without a mark, in sixteen bits", "utf-16-be"),
        (RUSSIAN, "utf-8-sig"),
        (GERMAN, "utf-32"),
    ],
)
def test_a_text_is_read_in_the_encoding_it_was_written_in(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_the_whole_text_counts_not_its_beginning() -> None:
    text = "The relief boat left at noon.\n" * 1000 + "Its pilot was Zoë Ångström."
    assert decode(text.encode("cp1252")) == text
    assert decode(text.encode()) == text


def test_a_declared_encoding_is_tried_before_guessing() -> None:
    assert decode("Привет".encode("koi8-r"), "koi8-r") == "Привет"
    assert decode("Grüße".encode("cp1252"), "no-such-encoding") == "Grüße"


@given(st.text())
def test_utf8_survives(text: str) -> None:
    data = text.encode("utf-8", "replace")
    if not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")) and b"\0" not in data:
        assert decode(data) == data.decode()


@given(st.binary())
def test_any_bytes_decode(data: bytes) -> None:
    assert isinstance(decode(data), str)


@pytest.mark.parametrize("data", [b"abc\0def\0ghi", bytes(range(256)) * 8], ids=["zeros", "every byte"])
def test_binary_is_not_text(data: bytes) -> None:
    assert not is_text(data)


@pytest.mark.parametrize("data", [b"", "Grüße".encode("utf-16"), b"page one\x0cpage two\x1bE", GREEK.encode("cp1253")])
def test_text_is_text(data: bytes) -> None:
    assert is_text(data)
