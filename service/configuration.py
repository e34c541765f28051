"""Where the corpus is and which model answers: options first, then the environment, then defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CORPUS_VARIABLE = "GLOSSATOR_CORPUS"
MODEL_VARIABLE = "GLOSSATOR_MODEL"


@dataclass(frozen=True, slots=True)
class Configuration:
    corpus: Path  # absolute
    corpus_source: str  # what chose it: --corpus, GLOSSATOR_CORPUS or "default"
    model: str | None  # provider:name; None = the built-in extractive answerer


def configure(corpus: str | None = None, environ: Mapping[str, str] = os.environ) -> Configuration:
    """Settle every setting, `corpus` being the option's value; an empty variable counts as unset."""
    folder, source = _corpus(corpus, environ)
    return Configuration(folder, source, environ.get(MODEL_VARIABLE) or None)


def _corpus(option: str | None, environ: Mapping[str, str]) -> tuple[Path, str]:
    for value, source in ((option, "--corpus"), (environ.get(CORPUS_VARIABLE), CORPUS_VARIABLE)):
        if value:
            return Path(value).expanduser().absolute(), source
    from platformdirs import user_data_path

    return user_data_path("glossator", appauthor=False) / "corpus", "default"
