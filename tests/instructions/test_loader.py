"""The loader: places are filled, all of them and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from glossator.instructions import load, loader


def test_places_are_filled() -> None:
    text = load("analysis", modules="json, re")
    assert "Modules: json, re" in text and "{{" not in text


@pytest.mark.parametrize("places", [{}, {"modules": "x", "other": "y"}, {"other": "y"}])
def test_missing_and_unknown_places_are_errors(places: dict[str, str]) -> None:
    with pytest.raises(KeyError, match="modules"):
        load("analysis", **places)


def test_what_is_filled_in_is_not_read_as_a_place() -> None:
    assert "{{modules}}" in load("analysis", modules="{{modules}}")


def test_there_is_no_other_file_than_text() -> None:
    folder = Path(loader.__file__).parent
    names = {path.name for path in folder.iterdir() if path.name != "__pycache__"}
    assert all(name.endswith((".md", ".py")) for name in names)
