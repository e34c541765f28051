"""`Analysis`: the three tools over one corpus, with one sandbox session and one ledger; one conversation.

The agent, the MCP server and the command line use this class directly. Nothing is opened before it is needed: the store
at the first search or file read, the worker at the first cell.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..corpus.errors import CollectionNotFound, ConditionMalformed, EmbedderMissing
from ..sandbox.errors import IsolationTooWeak, SandboxUnavailable, SessionBusy
from ..vfs.files import DocumentFiles
from ..vfs.limits import FileLimits
from .checks import Source
from .citing import Reader, Verdict
from .errors import AnswerRejected
from .functions import CorpusFunctions
from .ledger import CellRecord, Ledger
from .looking import pictures_of
from .marks import id_prefixes
from .notes import NotedLedger, chunk_ids, remember
from .results import Answer, CellReply, Citation, Reach, SearchReply
from .review import Review
from .sandboxes import session_name
from .text import answer_text, cell_text, change_text, cite_text, search_text

if TYPE_CHECKING:
    from ..corpus import Corpus, Listing, Scope, SearchMode, Snapshot
    from ..sandbox import Journal, Sandbox, Session

MAX_LIMIT = 50  # passages per analysis_search
CHECKED_BYTES = 64 << 20  # of files that cells read, looked through for a literal of their own source
NAMED = 5  # documents that are named of each kind when the corpus has changed
RENEW_S = 4 * 3600  # seconds before the end of its lease in which a conversation that lasts takes a new generation
FILE_LIMITS = FileLimits()
NO_SANDBOX = "this service runs without a code sandbox"


class Analysis:
    """One conversation over a corpus: three tools that return text, and the check of the final answer.

    `open_corpus` is called once, when something first needs the store; the corpus stays the caller's to close.
    `sandbox` is a started `Sandbox` or None. `scope` limits search, files and citations: nothing else exists for this
    conversation. None is the whole corpus. A session that is kept is continued by `session` and the same scope only;
    `journal` is its journal, closed with the conversation: evidence is noted there, and goes on after a restart.
    `files` bounds the memory that reading ahead takes.
    """

    def __init__(
        self,
        open_corpus: Callable[[], Awaitable[Corpus]],
        sandbox: Sandbox | None,
        *,
        scope: Scope | None = None,
        session: str | None = None,
        files: FileLimits = FILE_LIMITS,
        journal: Journal | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.id = session or f"s{secrets.token_hex(3)}"
        self._limited_to = scope
        self._open_corpus = open_corpus
        self._sandbox = sandbox
        self._corpus: Corpus | None = None
        self._snapshot: Snapshot | None = None
        self._clock = clock  # that of leases: one that stands still while the machine sleeps would miss their end
        self._session: Session | None = None
        self._opening = asyncio.Lock()
        self._running = asyncio.Lock()  # held while a cell runs, so that what is delivered meanwhile is that cell's
        self._journal = journal
        self._ledger = NotedLedger(journal) if journal is not None else Ledger()
        self._notes = list(journal.notes) if journal is not None else []  # of an earlier process, not yet remembered
        self._functions = CorpusFunctions(self.snapshot)
        self._files = DocumentFiles(self._functions.look, limits=files)
        self._sent_back = False  # whether a draft of this question was sent back for unsupported claims
        self._sources: dict[int, str] = {}  # the code of every cell of the session, by number
        self._news = ""  # one line that the next reply carries

    async def question(self, text: str) -> None:
        """A new question begins: evidence and citations start anew, on the newest generation of the corpus.

        Chunks that were cited before stay citable, as long as they exist unchanged.
        """
        self._ledger.begin(text)
        self._sent_back = False
        async with self._opening:
            corpus, snapshot = self._corpus, self._snapshot
            if corpus is not None and snapshot is not None and await corpus.newest() != snapshot.generation:
                await self._lease()

    async def search(
        self,
        query: str,
        limit: int = 5,
        offset: int = 0,
        *,
        where: Mapping[str, Any] | None = None,
        mode: SearchMode = "hybrid",
    ) -> str:
        """Passages for a query, as text; `limit` is cut to what is allowed. A wrong condition is told in text, too."""
        return (await self._search(query, limit, offset, where, mode, seen=False)).text

    async def search_and_see(
        self,
        query: str,
        limit: int = 5,
        offset: int = 0,
        *,
        where: Mapping[str, Any] | None = None,
        mode: SearchMode = "hybrid",
    ) -> SearchReply:
        """`search`, with the pictures of its first hits that are pictures."""
        return await self._search(query, limit, offset, where, mode, seen=True)

    async def _search(
        self, query: str, limit: int, offset: int, where: Mapping[str, Any] | None, mode: SearchMode, *, seen: bool
    ) -> SearchReply:
        snapshot = await self._recalled()
        limit, offset = max(1, min(limit, MAX_LIMIT)), max(0, offset)
        try:
            page = await snapshot.search(query, limit=limit, offset=offset, where=where, mode=mode)
        except (ConditionMalformed, CollectionNotFound, EmbedderMissing) as error:
            return SearchReply(self._with_news(str(error)))
        shown = await asyncio.to_thread(pictures_of, snapshot, page.results) if seen else {}
        text = search_text(page, scope=self._scope(snapshot), offset=offset, attached=list(shown))
        self._ledger.searched(text, [result.chunk for result in page.results])
        return SearchReply(self._with_news(text), tuple(shown.values()))

    async def code_problem(self) -> str | None:
        """Why no code can be run here, with the way out; None when it can. Opens the session."""
        if self._sandbox is None:
            return NO_SANDBOX
        try:
            await self._open_session(self._sandbox)
        except (IsolationTooWeak, SandboxUnavailable) as error:
            return str(error)
        except SessionBusy:  # until another process has done: told when code is to be run
            return None
        return None

    async def execute_code(self, code: str) -> CellReply:
        """Run a cell in this conversation's session; raises the sandbox's errors when there is none."""
        if self._sandbox is None:
            raise SandboxUnavailable(NO_SANDBOX)
        session = await self._open_session(self._sandbox)
        async with self._running:
            if not session.alive:
                await session.ready()  # what cells read when they are run again is no evidence of this one
            self._functions.begin()
            result = await session.run(code)
            opened, found, listed = self._files.last, tuple(self._functions.found), self._functions.listed
        self._ledger.ran(CellRecord(code, result, opened, found, listed))
        scope = self._scope(self._snapshot) if self._snapshot is not None else None
        self._sources[result.number] = code
        level = session.isolation.level if result.number == 1 else None  # told once per session
        text = cell_text(result, sources=self._sources, session=self.id, read=len(opened), scope=scope, level=level)
        return CellReply(self._with_news(text), result, opened)

    async def cite(self, chunk_ids: Sequence[str], answer: str | None = None) -> str:
        """Register the chunks that ground the answer; with `answer`, check the draft too and end the question."""
        snapshot = await self._recalled()
        reader = Reader(snapshot, self._ledger)
        verdicts = [await reader.read(given) for given in dict.fromkeys(chunk_ids)]
        chunks = [verdict.chunk for verdict in verdicts if verdict.chunk is not None]
        withdrawn = len(self._ledger.cited) if not verdicts else 0
        self._ledger.settle(chunks, empty=not verdicts)
        reply = self._with_news(self._cite_reply(verdicts, self._scope(snapshot), withdrawn))
        if answer is None or any(verdict.problem for verdict in verdicts):
            return reply
        try:
            return f"{reply}\n{answer_text(await self.finish(answer))}"
        except AnswerRejected as rejected:
            return f"{reply}\nAnswer not accepted yet: {rejected.reason}"

    async def check(self, text: str, *, lenient: bool = False) -> Answer:
        """The answer that may go out; raises `AnswerRejected` with what the model must do first.

        Unsupported numbers and quotations are sent back once per question (never when `lenient`), then reported.
        """
        snapshot = await self._recalled()
        cited = [chunk for chunk in self._ledger.cited.values() if chunk.document_id in snapshot.documents]
        citations = tuple(Citation.of(chunk, snapshot.documents[chunk.document_id]) for chunk in cited)
        written = [chunk.id for prefix in id_prefixes(text) for chunk in await snapshot.chunks_by_prefix(prefix)]
        read = partial(self._read_sources, snapshot)
        review = Review(self._ledger, citations, self._scope(snapshot), frozenset(written), read)
        settled = self._ledger.settled
        try:
            return review.answer(text, lenient=lenient or self._sent_back)
        except AnswerRejected:
            self._sent_back |= settled
            raise

    async def finish(self, text: str) -> Answer:
        """`check`, and the question has ended: the next tool call belongs to a new one."""
        answer = await self.check(text)
        await self.question("")
        return answer

    async def snapshot(self) -> Snapshot:
        """The generation that this conversation sees; opens the store at the first call."""
        async with self._opening:
            if self._snapshot is None or self._clock() > self._snapshot.expires_at - RENEW_S:
                await self._lease()
            assert self._snapshot is not None
            return self._snapshot

    async def close(self) -> None:
        """End the session and release the generation."""
        session, self._session = self._session, None
        snapshot, self._snapshot = self._snapshot, None
        try:
            if session is not None:
                await session.close()
        finally:
            if self._journal is not None:
                self._journal.close()
            if snapshot is not None:
                await snapshot.close()

    async def _open_session(self, sandbox: Sandbox) -> Session:
        async with self._running:
            if self._session is None:
                functions = self._functions.table()
                name = session_name(self.id, self._limited_to)
                self._session = await sandbox.session(
                    functions=functions, filesystem=self._files, name=name, journal=self._journal
                )
                self._sources.update(self._session.sources)
            return self._session

    async def _recalled(self) -> Snapshot:
        """The generation, and in the ledger also what an earlier process has noted of this question."""
        snapshot = await self.snapshot()
        notes, self._notes = self._notes, []
        if notes:
            ledger = Ledger()
            try:
                known = await snapshot.chunks(wanted := chunk_ids(notes))
                remember(ledger, notes, known)
            except (AttributeError, LookupError, TypeError):  # somebody else wrote them: they are no evidence
                return snapshot
            self._ledger.precede(ledger)
            if len(known) < len(wanted):
                gone = f"{len(wanted) - len(known)} of the passages shown before are changed or gone."
                self._news = f"{gone} {self._news}".strip()
        return snapshot

    async def _lease(self) -> None:
        """Take the newest generation, instead of the one in use."""
        before = self._snapshot
        self._corpus = self._corpus or await self._open_corpus()
        self._snapshot = await self._corpus.snapshot(self._limited_to)
        if before is not None:
            self._news = await asyncio.to_thread(_news, before.documents, self._snapshot.documents)
            await before.close()

    def _with_news(self, text: str) -> str:
        news, self._news = self._news, ""
        return f"{text}\n{news}" if news else text

    def _cite_reply(self, verdicts: Sequence[Verdict], scope: Reach, withdrawn: int) -> str:
        if not verdicts:
            return self._empty_reply(scope, withdrawn)
        refused = [(verdict.given, verdict.problem) for verdict in verdicts if verdict.problem]
        accepted = [verdict.chunk.id for verdict in verdicts if verdict.chunk is not None]
        instead = [chunk_id for verdict in verdicts for chunk_id in verdict.instead if chunk_id not in accepted]
        return cite_text(
            len(accepted),
            refused,
            suggested=list(dict.fromkeys(instead)),
            closing="" if refused else "Now write the answer.",
        )

    def _empty_reply(self, scope: Reach, withdrawn: int) -> str:
        ledger = self._ledger
        before = "Earlier citations of this question are withdrawn. " if withdrawn else ""
        if not ledger.computed:
            return f"Cited no passage: a refusal. {before}Say plainly that the corpus does not answer this."
        cells = ", ".join(str(cell.result.number) for cell in ledger.cells)
        how = f"{len(ledger.opened)} of {scope.documents} documents read"
        how = how if ledger.opened else f"{scope.documents} documents listed"
        covered = f"{how}, {scope.unreadable} unreadable"
        kind = f"Cited no passage: a computation (cells {cells}; {covered})."
        return f"{kind} {before}Now write the answer from what they printed."

    def _scope(self, snapshot: Snapshot) -> Reach:
        return Reach(len(snapshot.documents), len(snapshot.documents.unreadable))

    def _listing(self, snapshot: Snapshot) -> str:
        """What `list_documents()` tells: names, dates and metadata of the documents in scope."""
        return b"\n".join(brief for page in snapshot.documents.briefs() for brief in page).decode()

    def _read_sources(self, snapshot: Snapshot) -> list[Source]:
        """What the cells of this question read: passages that they found, and documents that they opened."""
        passages = [Source(chunk.content) for cell in self._ledger.cells for chunk in cell.found]
        if any(cell.listed for cell in self._ledger.cells):
            passages.append(Source(self._listing(snapshot)))
        opened = [doc for doc in sorted(self._ledger.opened) if doc in snapshot.documents]
        budget = CHECKED_BYTES
        for document_id in opened:
            for kind in ("content.txt", "metadata.json"):
                budget -= snapshot.documents[document_id].files[kind].size
                if budget < 0:
                    return passages
                passages.append(Source(snapshot.read(kind, [document_id])[0].decode()))
        return passages


def _news(before: Listing, now: Listing) -> str:
    """What the model is told of the generations between two questions; empty when no document in scope differs."""
    changes = now.changes_since(before)
    kinds = (("changed", now, changes.updated), ("new", now, changes.added), ("gone", before, changes.removed))
    return change_text([(name, len(ids), _titles(listing, ids)) for name, listing, ids in kinds if ids])


def _titles(listing: Listing, ids: Sequence[str]) -> list[str]:
    return [document.title for document in listing.among(ids[:NAMED])]
