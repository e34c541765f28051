"""What to do about an error of the file system: the line that a cell is told below it."""

from __future__ import annotations

import difflib
import errno
import os

from .documents import KINDS, Documents
from .tree import MOUNT, Tree, text_of

READ_ONLY = (
    "/documents is read-only and nothing else can be written; keep results in variables and print what is to be seen"
    " (io.StringIO holds text like a file)"
)
ELSEWHERE = "there is nothing but /documents here: /documents/{document_id}/content.txt and its four neighbours"
BY_ID = "folders are named by document ids; titles and uris are in `await list_documents()`"
_CUTOFF = 0.7  # how alike an id or a name must be to be suggested


class Hints:
    """Knows the documents in scope, and suggests nothing else."""

    def __init__(self, documents: Documents, tree: Tree) -> None:
        self._documents = documents
        self._tree = tree

    def of(self, error: BaseException) -> str:
        """One line, "" for errors of other kinds."""
        if not isinstance(error, OSError) or not isinstance(error.filename, (str, bytes)):
            return ""
        parts = self._parts(error.filename)
        match error.errno:
            case errno.EACCES:
                return READ_ONLY
            case errno.ENOENT:
                return self._missing(parts)
            case errno.EISDIR if len(parts) == 2:
                return f"it is a folder with {', '.join(KINDS)}"
        return ""

    def _parts(self, name: str | bytes) -> list[str]:
        path = os.path.normpath(os.path.join(self._tree.here(), text_of(name)))
        return [part for part in path.split("/") if part]

    def _missing(self, parts: list[str]) -> str:
        if not parts or parts[0] != MOUNT:
            return ELSEWHERE
        if len(parts) > 1 and parts[1] not in self._documents.ids():
            near = difflib.get_close_matches(parts[1], self._documents.ids(), 1, _CUTOFF)
            return f"did you mean {near[0]!r}?" if near else BY_ID
        near = difflib.get_close_matches(parts[2], KINDS, 1, _CUTOFF) if len(parts) > 2 else []
        return f"did you mean {near[0]!r}?" if near else f"a document's files are {', '.join(KINDS)}"
