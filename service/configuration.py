"""Where the corpus is and which model answers: options first, then the environment, then defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .failures import Failure

CORPUS_VARIABLE = "GLOSSATOR_CORPUS"
MODEL_VARIABLE = "GLOSSATOR_MODEL"
SESSION_VARIABLE = "GLOSSATOR_SESSION_DAYS"
SESSION_DAYS = 30.0  # that a session is kept after its last cell


@dataclass(frozen=True, slots=True)
class Configuration:
    corpus: Path  # absolute
    corpus_source: str  # what chose it: --corpus, GLOSSATOR_CORPUS or "default"
    model: str | None  # provider:name; None = the built-in extractive answerer
    session_s: float = SESSION_DAYS * 86400  # seconds that a session is kept after its last cell

    @property
    def sessions(self) -> Path:
        """Where the sessions over this corpus are kept."""
        return self.corpus / "sessions"


def configure(corpus: str | None = None, environ: Mapping[str, str] = os.environ) -> Configuration:
    """Settle every setting, `corpus` being the option's value; an empty variable counts as unset."""
    folder, source = _corpus(corpus, environ)
    return Configuration(folder, source, environ.get(MODEL_VARIABLE) or None, _session_days(environ) * 86400)


def _session_days(environ: Mapping[str, str]) -> float:
    given = environ.get(SESSION_VARIABLE)
    try:
        days = float(given) if given else SESSION_DAYS
    except ValueError:
        days = -1.0
    if not 0 <= days < float("inf"):
        raise Failure(f"{SESSION_VARIABLE} is {given!r}: it must be a number of days, such as 30")
    return days


def _corpus(option: str | None, environ: Mapping[str, str]) -> tuple[Path, str]:
    for value, source in ((option, "--corpus"), (environ.get(CORPUS_VARIABLE), CORPUS_VARIABLE)):
        if value:
            return Path(value).expanduser().absolute(), source
    from platformdirs import user_data_path

    return user_data_path("glossator", appauthor=False) / "corpus", "default"
