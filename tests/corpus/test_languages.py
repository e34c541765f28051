from __future__ import annotations

import pytest

from glossator.corpus.languages import code, detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The cap on liability is set out in the second schedule to this agreement.", "en"),
        ("Die Würde des Menschen ist unantastbar. Sie zu achten ist Verpflichtung.", "de"),
        ("La liberté consiste à pouvoir faire tout ce qui ne nuit pas à autrui.", "fr"),
        ("Todos los seres humanos nacen libres e iguales en dignidad y derechos.", "es"),
        ("Новосибирский склад стоит на Красном проспекте.", "ru"),
        ("Київ є столицею України, її найбільшим містом.", "uk"),
        ("港の記録。北港では国際標準化された秤を使う。", "ja"),
        ("东仓的温度记录仪每周五更换电池。", "zh"),
        ("빅포인트의 유효기간은 5년으로 자동 소멸", "ko"),
        ("أزل صلاحية التنفيذ من المجموعة", "ar"),
        ("برای تغییر دسترسی یک پرونده چنین کنید", "fa"),
        ("Η Αθήνα είναι η πρωτεύουσα της Ελλάδας.", "el"),
    ],
)
def test_detects(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize("text", ["", "12 345", "X-17/b", "Lorem ipsum dolor sit amet, consetetur", "ACME BIRCH"])
def test_is_silent_when_unsure(text: str) -> None:
    assert detect(text) is None


def test_code_in_a_text_does_not_decide() -> None:
    block = "```python\nfor each in the_list_of_all: if it is not in that: print(it)\n```\n"
    assert detect(block + "Das ist der Text und er ist nicht lang.") == "de"


@pytest.mark.parametrize(
    ("declared", "language"), [("de-AT", "de"), ("EN", "en"), ("zh_Hans", "zh"), ("", None), (None, None)]
)
def test_declared(declared: str | None, language: str | None) -> None:
    assert code(declared) == language
