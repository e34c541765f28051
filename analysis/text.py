"""The plain text that the model reads: one form for every tool. Programs may parse it; the forms stay as they are.

Every line belongs to the host's frame, except lines that begin with `> ` (a line of document text or of a cell's
output, verbatim but for escaped control characters) and `-> ` (the first line of a cell's value; its further lines
begin with `> `). Nothing inside a document can make a line of the frame, because each of its lines gets that prefix,
and titles, headings, notes and error messages are brought to one line.

Search (`search_text`)::

    3 of 41 passages, 12 documents; scope 212 documents, 9 unreadable
    [3f9a1c2e] MSA Acme-Birch.pdf (d7kq2abcde) p.14 | 12 Liability > 12.2 Cap
    Type: paragraph   Note: "cap" means the limit of liability
    > aggregate liability shall not exceed EUR 2,000,000
    No match: "gross negligence". More: offset=3

- `Type:` may be followed by `File:`, where the title is not the file's name, by `Image: n`, the place of the hit's
  picture among those that come with the reply, and by notes, each after three spaces.
- A hit is `[first 8 characters of the chunk's id] title (document id) pages | heading path`, then its `Type:` line,
  then its text. `pages` is `p.14`, `p.14-16` or `p.14,17` and is left out with its space when unknown; ` | ` and what
  follows are left out without headings. In titles and headings `|` is written `\\|`, in headings ` > ` is written
  ` \\> `, so the first ` | ` splits the line; what stands before it ends with `(document id)` and perhaps the pages.
- The last line, `No match: …` and/or `More: offset=n`, is left out when there is nothing to say.

Cell (`cell_text`)::

    > EUR 131, USD 72
    -> {'EUR': 131, 'USD': 72}
    [cell 4, session s7f, 0.8 s; read 203 of 212 documents, 9 unreadable: _unreadable; new: caps dict(212)]

Error: what was printed first (as above), then error, source line, hint and footer::

    NameError: 'dfs' is not defined (cell 5, line 3)
    3| for r in dfs:
    Did you mean df (list, 212)? Variables kept; lines 1-2 ran.
    [cell 5, session s7f, 0.1 s]

When the line called functions of the cells, each call stands below it: `in total, cell 1, line 2| return a / n`.

Cite (`cite_text`)::

    Cited 1 of 3. Not accepted:
    #/texts/5: a self_ref; its chunk is 3f9a1c2e
    91ab77c0: read by code but never shown; print the passage first
    Next: analysis_cite(["3f9a1c2e"])

- The first line always begins with `Cited `. With every id accepted it is `Cited 2 of 2. …`; for an empty list it is
  `Cited no passage: a computation …` or `Cited no passage: a refusal …`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .results import Reach

if TYPE_CHECKING:
    from ..corpus.documents import SearchPage, SearchResult
    from ..sandbox.results import CellError, CellResult
    from .results import Answer

PREFIX = 8  # characters of a chunk id that are shown
FIELD_CHARS = 300  # of a title, a heading or a note
MESSAGE_CHARS = 1_000  # of an error's message
FRAMES = 5  # calls shown below the line of a cell that failed
NEW_NAMES = 12  # variables named in a cell's footer
TYPES = {"text": "paragraph"}  # docling's label -> what the model reads as Type; others keep their name

_CALL = re.compile(r"^  cell (\d{1,9}), line (\d{1,9})(?: in ([\w.<>]{1,80}))?$", re.MULTILINE)
_ESCAPED = {"Cc", "Cs"}  # control characters (ANSI escapes among them) and lone surrogates, which cannot be encoded
_OVERRIDES = "\u202d\u202e"  # bidirectional overrides: a terminal would show the frame in another order


def one_line(text: str, limit: int = FIELD_CHARS) -> str:
    """Text of a document as one line: white space becomes one space, control characters are escaped."""
    line = _visible(" ".join(text.split()))  # str.split knows every separator of str.splitlines
    return line if len(line) <= limit else line[: limit - 1] + "…"


def quoted(text: str) -> str:
    """Text of a document or of a cell, each line behind `> `."""
    return "\n".join(f"> {_visible(line)}" for line in text.splitlines()) or "> "


def short(chunk_id: str) -> str:
    """A chunk id as it is shown."""
    return chunk_id[:PREFIX]


def search_text(page: SearchPage, *, scope: Reach, offset: int = 0, attached: Sequence[str] = ()) -> str:
    """The reply of `analysis_search`; `attached`: the chunks whose pictures come with it, in their order."""
    total = f"over {page.total}" if page.is_cut else str(page.total)
    found = f"{len(page.results)} of {total} passages, {_documents(page.documents)}; {scope_text(scope)}"
    return "\n".join([found, *(_hit(result, attached) for result in page.results), *_rest(page, offset)])


def scope_text(scope: Reach) -> str:
    """How much may be searched: `scope 212 documents, 9 unreadable`."""
    return f"scope {_documents(scope.documents)}, {scope.unreadable} unreadable"


def coverage_text(read: int, scope: Reach) -> str:
    """How much of the corpus a cell has read: `read 203 of 212 documents, 9 unreadable: _unreadable`."""
    unreadable = f", {scope.unreadable} unreadable: _unreadable" if scope.unreadable else ""
    return f"read {read} of {_documents(scope.documents)}{unreadable}"


def cell_text(
    result: CellResult,
    *,
    sources: Mapping[int, str],
    session: str,
    read: int = 0,
    scope: Reach | None = None,
    level: int | None = None,
) -> str:
    """The reply of `analysis_execute_code`.

    `sources` is the code of the session's cells by number; `read` counts the documents whose files the cell opened,
    `scope` is None as long as nothing has looked at the corpus; `level` is that of isolation, where it is to be told.
    """
    parts = [one_line(result.note, MESSAGE_CHARS)] if result.note else []
    parts += [quoted(printed) for printed in (result.stdout, result.stderr) if printed]
    if result.value is not None:
        first, *more = result.value.splitlines() or [""]
        parts += [f"-> {_visible(first)}", *(quoted(line) for line in more)]
    if result.error is not None:
        parts.append(_error(result, result.error, sources))
    if len(parts) == bool(result.note):
        parts.append("(no output: use print(), or end the cell with an expression)")
    return "\n".join([*parts, _footer(result, session, read, scope, level)])


def cite_text(
    accepted: int, refused: Sequence[tuple[str, str]], *, suggested: Sequence[str] = (), closing: str = ""
) -> str:
    """The reply of `analysis_cite` for a list that is not empty.

    `refused` pairs each id with what is wrong and what to do; `suggested` are ids to cite next.
    """
    given = accepted + len(refused)
    if not refused:
        return f"Cited {accepted} of {given}. {closing}".rstrip()
    lines = [f"Cited {accepted} of {given}. Not accepted:"]
    lines += [f"{one_line(given_id, 60)}: {one_line(problem, MESSAGE_CHARS)}" for given_id, problem in refused]
    lines += [f"Next: analysis_cite({json.dumps([short(chunk_id) for chunk_id in suggested])})"] if suggested else []
    return "\n".join([*lines, closing] if closing and not suggested else lines)


def change_text(changes: Sequence[tuple[str, int, Sequence[str]]]) -> str:
    """One line on what changed in the corpus: kind of change, how many documents, titles of some. Empty if nothing."""
    kinds = [f"{count} {kind} ({_some(titles, count)})" for kind, count, titles in changes]
    told = f"The corpus has changed since the last question: {', '.join(kinds)}; variables may hold older data."
    return told if kinds else ""


def _some(titles: Sequence[str], count: int) -> str:
    more = [f"{count - len(titles)} more"] if count > len(titles) else []
    return ", ".join([*(one_line(title, 80) for title in titles), *more])


def answer_text(answer: Answer) -> str:
    """A checked answer, as `analysis_cite(…, answer=…)` returns it: what to send, and its sources."""
    sources = [
        f"[{n}] {place_text(citation.title, citation.document_id, citation.page_numbers, citation.headings)}"
        for n, citation in enumerate(answer.citations, 1)
    ]
    checked = "Answer checked" + ("." if answer.grounded else ": No evidence in the corpus.")
    note = [one_line(answer.note, MESSAGE_CHARS)] if answer.note else []
    return "\n".join([f"{checked} Send this:", quoted(answer.text), *sources, *note])


def pages_text(pages: Sequence[int]) -> str:
    """Page numbers for people: `p.14`, `p.14-16`, `p.14,17`; empty without pages."""
    if not pages:
        return ""
    ordered = sorted(set(pages))
    if len(ordered) > 1 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"p.{ordered[0]}-{ordered[-1]}"
    return "p." + ",".join(map(str, ordered))


def heading_text(headings: Sequence[str]) -> str:
    """A heading path on one line: `12 Liability > 12.2 Cap`."""
    return " > ".join(one_line(heading).replace("|", r"\|").replace(" > ", r" \> ") for heading in headings)


def place_text(title: str, document_id: str, pages: Sequence[int], headings: Sequence[str]) -> str:
    """Where a passage stands: `MSA.pdf (d7kq2abcde) p.14 | 12 Liability > 12.2 Cap`."""
    place = [one_line(title).replace("|", r"\|"), f"({document_id})", pages_text(pages)]
    path = heading_text(headings)
    return " ".join(part for part in place if part) + (f" | {path}" if path else "")


def _hit(result: SearchResult, attached: Sequence[str]) -> str:
    chunk, document = result.chunk, result.document
    place = place_text(document.title, document.id, chunk.page_numbers, chunk.headings)
    file = one_line(document.whole_name)
    named = f"   File: {file}" if file != one_line(document.title) else ""
    named += f"   Image: {attached.index(chunk.id) + 1}" if chunk.id in attached else ""
    notes = "".join(f"   Note: {one_line(note)}" for note in result.annotations)
    return f"[{short(chunk.id)}] {place}\nType: {_type(chunk.labels)}{named}{notes}\n{quoted(chunk.content)}"


def _type(labels: Sequence[str]) -> str:
    """The matched chunk's own kind; a heading counts only when the chunk holds nothing else."""
    if "picture" in labels and {*labels} <= {"picture", "caption"}:  # a picture's caption belongs to it
        return "picture"
    kinds = [label for label in labels if label not in ("section_header", "title")] or list(labels) or ["text"]
    return ", ".join(TYPES.get(kind, one_line(kind)) for kind in kinds)


def _rest(page: SearchPage, offset: int) -> list[str]:
    after = offset + len(page.results)
    missing = ", ".join(f'"{one_line(term)}"' for term in page.missing_terms)
    parts = [f"No match: {missing}."] if missing else []
    parts += [f"More: offset={after}"] if page.results and after < page.total else []
    return [" ".join(parts)] if parts else []


def _error(result: CellResult, error: CellError, sources: Mapping[int, str]) -> str:
    """Type, message and place; source lines come from the host's copy of the code, not from the worker."""
    line = error.line if isinstance(error.line, int) else None
    place = f"cell {result.number}" + (f", line {line}" if line else "")
    lines = [f"{one_line(error.type, 80)}: {one_line(error.message, MESSAGE_CHARS)} ({place})"]
    lines += [f"{line}| {source}"] if (source := _source(sources, result.number, line)) else []
    lines += _deeper(error.traceback, sources)
    hint = one_line(error.hint, MESSAGE_CHARS)
    hint += "." if hint and hint[-1] not in ".!?" else ""
    return "\n".join([*lines, " ".join(filter(None, [hint, _survived(result)]))])


def _deeper(traceback: str, sources: Mapping[int, str]) -> list[str]:
    """The calls below the failing line, the innermost last: `in f, cell 1, line 2| return a/0`."""
    calls = _CALL.findall(traceback.rpartition("Traceback (")[2])[-FRAMES:]
    named = [(name, int(cell), int(line)) for cell, line, name in calls if name]
    return [
        f"in {name}, cell {cell}, line {line}| {source}"
        for name, cell, line in named
        if (source := _source(sources, cell, line))
    ]


def _source(sources: Mapping[int, str], cell: int, line: int | None) -> str:
    lines = sources.get(cell, "").splitlines()
    return one_line(lines[line - 1], MESSAGE_CHARS) if line and line <= len(lines) else ""


def _survived(result: CellResult) -> str:
    if result.worker_ended:
        return ""  # the hint says what the next cell finds
    return "Variables kept" + (f"; lines {one_line(result.kept_lines)} ran." if result.kept_lines else ".")


def _footer(result: CellResult, session: str, read: int, scope: Reach | None, level: int | None) -> str:
    parts = [f"cell {result.number}, session {session}, {result.wall_s:.1f} s"]
    if level is not None:
        parts.append(f"isolation level {level} of 3")
    if scope is not None and not result.worker_ended:  # a worker that is gone did not say what it had read
        parts.append(coverage_text(read, scope))
    if result.new_names:
        names = [
            f"{one_line(name, 60)} {one_line(what, 60)}" for name, what in list(result.new_names.items())[:NEW_NAMES]
        ]
        more = len(result.new_names) - len(names)
        parts.append("new: " + ", ".join(names) + (f", {more} more" if more > 0 else ""))
    return f"[{'; '.join(parts)}]"


def _visible(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(_escape(char) for char in line)


def _escape(char: str) -> str:
    if char == "\t" or (char not in _OVERRIDES and unicodedata.category(char) not in _ESCAPED):
        return char
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def _documents(count: int) -> str:
    return f"{count} document" if count == 1 else f"{count} documents"
