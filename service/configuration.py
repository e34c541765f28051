"""Where the corpus is and which model answers: options first, then the environment, then defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..corpus.documents import HOT_BYTES
from ..vfs.limits import FileLimits
from .failures import Failure

CORPUS_VARIABLE = "GLOSSATOR_CORPUS"
MODEL_VARIABLE = "GLOSSATOR_MODEL"
HOOKS_VARIABLE = "GLOSSATOR_HOOKS"
RERANKER_VARIABLE = "GLOSSATOR_RERANKER"
SESSION_VARIABLE = "GLOSSATOR_SESSION_DAYS"
BATCH_VARIABLE = "GLOSSATOR_READAHEAD_MB"
CACHE_VARIABLE = "GLOSSATOR_FILE_CACHE_MB"
READAHEAD_VARIABLE = "GLOSSATOR_READAHEAD"
HOT_VARIABLE = "GLOSSATOR_HOT_FILES_MB"
SESSION_DAYS = 30.0  # that a session is kept after its last cell
FILES = FileLimits()
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Configuration:
    corpus: Path  # absolute
    corpus_source: str  # what chose it: --corpus, GLOSSATOR_CORPUS or "default"
    model: str | None  # provider:name; None = the built-in extractive answerer
    session_s: float = SESSION_DAYS * 86400  # seconds that a session is kept after its last cell
    hooks: tuple[str, ...] = ()  # names of the active hooks, in the order in which they are called
    files: FileLimits = FILES  # memory that reading ahead may take, of each session
    reranker: str | None = None  # provider:name of the language model that orders what is found; None = nothing does
    hot_bytes: int = HOT_BYTES  # of files opened one by one that the service keeps, for all sessions

    @property
    def sessions(self) -> Path:
        """Where the sessions over this corpus are kept."""
        return self.corpus / "sessions"


def configure(corpus: str | None = None, environ: Mapping[str, str] = os.environ) -> Configuration:
    """Settle every setting, `corpus` being the option's value; an empty variable counts as unset."""
    folder, source = _corpus(corpus, environ)
    session_s = _number(environ, SESSION_VARIABLE, SESSION_DAYS, "a number of days, such as 30") * 86400
    hooks = tuple(name.strip() for name in environ.get(HOOKS_VARIABLE, "").split(",") if name.strip())
    model = environ.get(MODEL_VARIABLE) or None
    reranker = environ.get(RERANKER_VARIABLE) or None
    hot = _number(environ, HOT_VARIABLE, HOT_BYTES / _MIB, "a number of MiB, such as 64")
    limits = _file_limits(environ)
    return Configuration(folder, source, model, session_s, hooks, limits, reranker, int(hot * _MIB))


def _file_limits(environ: Mapping[str, str]) -> FileLimits:
    batch = _number(environ, BATCH_VARIABLE, FILES.batch_bytes / _MIB, "a number of MiB, such as 4")
    cache = _number(environ, CACHE_VARIABLE, FILES.cache_bytes / _MIB, "a number of MiB, such as 32")
    ahead = _number(environ, READAHEAD_VARIABLE, FILES.readahead, "a number of documents, such as 512")
    try:
        return FileLimits(int(batch * _MIB), int(cache * _MIB), int(ahead))
    except ValueError as error:
        raise Failure(f"{BATCH_VARIABLE}, {CACHE_VARIABLE}, {READAHEAD_VARIABLE}: {error}") from error


def _number(environ: Mapping[str, str], variable: str, default: float, expected: str) -> float:
    given = environ.get(variable)
    try:
        number = float(given) if given else default
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise Failure(f"{variable} is {given!r}: it must be {expected}")
    return number


def _corpus(option: str | None, environ: Mapping[str, str]) -> tuple[Path, str]:
    for value, source in ((option, "--corpus"), (environ.get(CORPUS_VARIABLE), CORPUS_VARIABLE)):
        if value:
            return Path(value).expanduser().absolute(), source
    from platformdirs import user_data_path

    return user_data_path("glossator", appauthor=False) / "corpus", "default"
