"""Questions about a document's sections: list them, count them, say what stands above or below one."""

from __future__ import annotations

import re

from .question import Question, fold
from .sources import named
from .steps import Rule, cite, code, failed, fill, output, rows

_SECTION = (
    r"sub-?sections?|sections?|headings?|chapters?|parts?|abschnitte?|kapitel|teile?|artikel|articles?|paragraphs?"
    r"|chapitres?|capitoli|capitulos?"
)
_TRIGGER = re.compile(rf"\b(?:{_SECTION})\b", re.I)
_ABOUT_SECTIONS = re.compile(
    rf"(?:{_SECTION}|top-?level|level|order|body|main|contains?|title|directly|below|under)", re.I
)
_TOP = re.compile(r"\b(?:top[- ]level|main|first[- ]level|chapters?|obersten?|principa\w+)\b", re.I)
_ABOVE = re.compile(
    rf"\b(?:which|what|in welchem|under which)\b[^?]*\b(?:{_SECTION})\b[^?]*\b(?:contains?|holds?|include|is|steht)\b",
    re.I,
)

# The top of the outline and the sections that the question names: the whole of it may be longer than an output.
OUTLINE = """
asked = $question.casefold()
def walk(nodes, path=()):
    for node in nodes:
        bare = re.sub(r"^(?:\\d+\\.)*\\d+\\.?\\s+", "", node["title"])
        if not path or bare.casefold() in asked:
            print(json.dumps({"title": node["title"], "path": path, "chunks": node["chunk_ids"][:1],
                "sections": len(node["children"])}))
        walk(node["children"], path + (node["title"],))
walk(toc($document)["tree"])
"""

BELOW = """
def find(nodes, title):
    for node in nodes:
        if node["title"] == title:
            return node
        if found := find(node["children"], title):
            return found
tree = toc($document)["tree"]
nodes = find(tree, $title)["children"] if $title else tree
print(len(nodes), "sections", $label)
for node in nodes:
    print("-", node["title"])
"""


def about_sections(question: Question) -> bool:
    return bool(_TRIGGER.search(question.text)) and (question.lists or question.counts)


def outline(question: Question) -> Rule:
    if not about_sections(question):
        return None
    sources = yield from named(question, _ABOUT_SECTIONS)
    if not sources:
        return None
    source = sources[0]
    nodes = rows((yield code(fill(OUTLINE, document=repr(source.id), question=repr(question.text)))))
    section = _named_section(question, nodes, source.title)
    if section and _ABOVE.search(question.text):
        return (yield from _above(section, source.title))
    if not section and not (_TOP.search(question.text) or question.lists):
        return None
    return (yield from _below(question, nodes, section, source.id, source.title))


def _named_section(question: Question, nodes: list[dict[str, object]], document: str) -> dict[str, object] | None:
    """The section whose title stands in the question; the longest such title, and not the document's own."""
    fitting = [
        node
        for node in nodes
        if (title := str(node["title"]))
        and fold(title) != fold(document)
        and len(title) > 3
        and question.says(_bare(title))
    ]
    return max(fitting, key=lambda node: len(str(node["title"])), default=None)


def _bare(title: str) -> str:
    """A title without its number in front, unless that is all it has."""
    return re.sub(r"^(?:\d+\.)*\d+\.?\s+", "", title)


def _above(section: dict[str, object], document: str) -> Rule:
    path = [str(p) for p in section["path"]] if isinstance(section["path"], list) else []
    chunks = section["chunks"]
    yield cite([str(c) for c in chunks] if isinstance(chunks, list) else [])
    if not path:
        return f"{document}: “{section['title']}” is itself a top-level section."
    above = " > ".join(f"“{title}”" for title in path)
    return f"{document}: “{section['title']}” stands under {above}."


def _below(
    question: Question,
    nodes: list[dict[str, object]],
    section: dict[str, object] | None,
    document_id: str,
    document: str,
) -> Rule:
    title = str(section["title"]) if section else _only_root(nodes)
    label = f"of {title}" if section else f"of {document}"
    reply = yield code(fill(BELOW, document=repr(document_id), title=repr(title), label=repr(label)))
    if failed(reply) or len(output(reply)) < 2:
        return None
    yield cite()
    return "\n".join(output(reply))


def _only_root(nodes: list[dict[str, object]]) -> str | None:
    """A document whose sections all stand under one title: that title is not a section."""
    roots = [node for node in nodes if not node["path"]]
    return str(roots[0]["title"]) if len(roots) == 1 and roots[0]["sections"] else None
