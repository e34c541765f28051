"""Counts and lists of documents: by file type, language, metadata, a word in their text, or by being empty."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from .question import Question, fold
from .steps import Rule, cite, code, failed, fill, output, rows

# Words that mean documents of a type, and the endings of their file names.
_TYPES: dict[str, tuple[str, ...]] = {
    r"pdfs?": (".pdf",),
    r"docx|word (?:documents?|files?)": (".docx",),
    r"spreadsheets?|workbooks?|excel (?:documents?|files?|sheets?)": (".xlsx", ".xlsm", ".xls", ".ods"),
    r"presentations?|slide ?decks?|powerpoints?(?: \w+)?": (".pptx", ".odp"),
    r"csvs?": (".csv",),
    r"e-?mails?": (".eml", ".msg"),
    r"html|web ?pages?": (".html", ".htm"),
    r"markdown": (".md", ".markdown"),
    r"epubs?|e-?books?": (".epub",),
}
_LANGUAGES = {
    "arabic": "ar", "chinese": "zh", "czech": "cs", "danish": "da", "dutch": "nl", "english": "en", "finnish": "fi",
    "french": "fr", "german": "de", "greek": "el", "hebrew": "he", "hindi": "hi", "hungarian": "hu", "italian": "it",
    "japanese": "ja", "korean": "ko", "norwegian": "no", "persian": "fa", "polish": "pl", "portuguese": "pt",
    "romanian": "ro", "russian": "ru", "spanish": "es", "swedish": "sv", "turkish": "tr", "ukrainian": "uk",
}  # fmt: skip
_NOUN = r"documents?|files?|corpus|collection|dokumente?n?|dateien|fichiers?|documenti|documentos?"
_NOUNS = re.compile(rf"\b(?:{_NOUN})\b")
_ENDING = re.compile(r"(?<![\w.])\.([a-z0-9]{1,5})\b")
_CONTAINS = re.compile(
    r"\b(?:contain|mention|include|use|name|say)s?\b(?: the)?(?: word| phrase| term| text| string)?s?\s*$", re.I
)
_MENTIONS = re.compile(
    rf"\b(?:{_NOUN})\b(?: \w+)? (?:contain|mention|name)s? (?:the |an? )?(.{{3,60}}?)[?.]?\s*$", re.I
)
_EMPTY = re.compile(r"\b(?:no text|empty|without (?:any )?text|keinen text|leere?)\b", re.I)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

# Which metadata the question speaks about: keys that it names, values that stand in it.
SURVEY = """
asked = $question.casefold()
words = set(re.findall(r"[^\\W_]+", asked))
keys = defaultdict(Counter)
for document in await list_documents():
    for key, value in document["metadata"].items():
        for part in value if isinstance(value, list) else re.split(r"[,;]\\s+", str(value)):
            keys[key][str(part).strip()] += 1
def said(text):
    return len(text) > 1 and re.search(rf"(?<!\\w){re.escape(text.casefold())}(?!\\w)", asked)
for key, values in keys.items():
    named = all(any(w.startswith(k[:5]) for w in words) for k in re.findall(r"[^\\W_]+", key.casefold()))
    found = [value for value in values if said(value)]
    if named or found:
        print(json.dumps({"key": key, "named": named, "said": found[:20], "distinct": len(values),
            "unique": len(values) == values.total(), "example": next(iter(values))}))
"""

COLLECT = """
documents = await list_documents()
found = []
for document in documents:
    file, metadata = document["uri"].rsplit("/", 1)[-1], document["metadata"]
$reads    if $test:
        found.append(document["title"] if document["title"] == file else f"{document['title']} ({file})")
print(f"{len(found)} of {len(documents)} documents: $label")
for title in sorted(found):
    print("-", title)
"""

GROUP = """
groups = Counter()
for document in await list_documents():
    metadata = document["metadata"]
    value = next((metadata[key] for key in $keys if key in metadata), "") if $having else ""
    for part in value if isinstance(value, list) else re.split(r"[,;]\\s+", str(value)):
        groups[re.sub(r"\\s*<[^>]*>", "", str(part)).strip()] += 1
groups.pop("", None)
for name, count in groups.most_common($limit):
    print(f"{name}: {count}")
"""

DATED = """
def when(text):
    for form in ("%Y-%m-%d", "%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y", "%d/%m/%Y", "%Y"):
        try:
            return datetime.strptime(text.strip()[:20], form)
        except ValueError:
            pass
dated = []
for document in await list_documents():
    metadata = document["metadata"]
    value = next((str(metadata[key]) for key in $keys if key in metadata), "") if $having else ""
    if when(value):
        dated.append((when(value), value, document))
_, value, chosen = $pick(dated, key=lambda each: each[0])
print(f"{chosen['title']} ({chosen['uri'].rsplit('/', 1)[-1]}):", $keys[0], value)
"""


@dataclass(slots=True)
class Filter:
    tests: list[str] = field(default_factory=list)  # Python expressions over document, file, metadata, text, info
    labels: list[str] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)  # which of text and info they need

    def add(self, test: str, label: str, reads: str | None = None) -> None:
        self.tests.append(test)
        self.labels.append(label)
        if reads:
            self.reads.add(reads)


def about_documents(question: Question) -> bool:
    """Whether it asks how many documents, or which: for their number or names, not for what one of them says."""
    return _asks(question) and bool(_NOUNS.search(question.folded) or _by_name_or_text(question).tests)


def _asks(question: Question) -> bool:
    return not question.files and (question.counts or question.lists or question.most or question.least)


def documents(question: Question) -> Rule:
    if not _asks(question):
        return None
    chosen = _by_name_or_text(question)
    surveyed = rows((yield code(fill(SURVEY, question=repr(question.text)))))
    grouped = _group(question, surveyed)
    if grouped and not chosen.tests:
        return (yield from _run(grouped))
    _by_metadata(question, surveyed, chosen)
    if not chosen.tests and not (question.counts and _whole_corpus(question)):
        return None
    return (yield from _run(_collect(chosen)))


def _run(program: str) -> Rule:
    reply = yield code(program)
    if failed(reply):
        return None
    yield cite()
    return "\n".join(output(reply))


def _by_name_or_text(question: Question) -> Filter:
    chosen = Filter()
    folded = question.folded
    endings = [f".{ending}" for ending in _ENDING.findall(folded)]
    for pattern, names in _TYPES.items():
        if re.search(rf"\b(?:{pattern})\b", folded) and (_NOUNS.search(folded) or question.counts):
            endings += names
    if endings:
        ends = tuple(dict.fromkeys(endings))
        chosen.add(f"file.casefold().endswith({ends!r})", "file name ends with " + " or ".join(ends))
    for phrase in _phrases(question):
        pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, phrase.casefold().split()))
        chosen.add(f"re.search({pattern!r}, text)", f"text contains {phrase}", "text")
    for language, iso in _LANGUAGES.items():
        if re.search(rf"\b(?:in|are) {language}\b|\b{language} (?:{_NOUN})\b", folded) and _NOUNS.search(folded):
            chosen.add(f'info["language"] == {iso!r}', f"language is {language.title()}", "info")
    if _EMPTY.search(question.text) and _NOUNS.search(folded):
        chosen.add('info["status"] == "empty"', "no text", "info")
    return chosen


def _phrases(question: Question) -> list[str]:
    """What the documents' text must hold: quoted after "contain", or the words after "documents mention"."""
    quoted = [
        phrase
        for phrase in question.quoted
        if _CONTAINS.search(question.text[: question.text.find(phrase)].rstrip('"“”„«» '))
    ]
    told = _MENTIONS.search(question.text)
    return quoted or ([told[1]] if told and not _EMPTY.search(told[1]) and not question.quoted else [])


def _by_metadata(question: Question, surveyed: list[dict[str, Any]], chosen: Filter) -> None:
    for entry in surveyed:
        said = entry["said"]
        if entry["unique"] or not said:
            continue  # a number or name of its own for each document identifies, it does not select
        if entry["named"] or any(s[:1].isupper() and s in question.text for s in said):
            value = f"str(metadata.get({entry['key']!r}, ''))"
            test = f"set(re.split(r'[,;]\\s+', {value})) & {set(said)!r}"
            chosen.add(test, f"{entry['key']} is {' or '.join(said)}")
    years = _YEAR.findall(question.text)
    dated = [e for e in surveyed if e["named"] and not e["said"] and _YEAR.search(e["example"])]
    if years and dated:
        keys = _same_key(question, dated)
        value = f"str(next((metadata[key] for key in {keys!r} if key in metadata), ''))"
        chosen.add(
            f"{_having(surveyed)} and re.search({'|'.join(years)!r}, {value})", f"{keys[0]} in {' or '.join(years)}"
        )


def _group(question: Question, surveyed: list[dict[str, Any]]) -> str | None:
    """'of each type', 'which author … most': a number per value of a key; 'the oldest creation date': one document."""
    named = [e for e in surveyed if e["named"] and e["distinct"] > 1 and not _identifies(e)]
    extreme = question.most or question.least
    if not named or not (question.each or extreme):
        return None
    keys = _same_key(question, named)
    having = _having(surveyed)
    if extreme and any(re.search(r"\d{4}", e["example"]) for e in named if e["key"] in keys):
        return fill(DATED, keys=repr(keys), having=having, pick="max" if question.most else "min")
    if not (question.counts or question.lists):
        return None
    return fill(GROUP, keys=repr(keys), having=having, limit="30" if question.each else "3")


def _same_key(question: Question, named: list[dict[str, Any]]) -> list[str]:
    """The key that the question names first, in every spelling that documents give it."""
    first = min(named, key=lambda e: question.folded.find(fold(e["key"])[:5]))
    return sorted(e["key"] for e in named if fold(e["key"]) == fold(first["key"]))


def _identifies(entry: dict[str, Any]) -> bool:
    """A number of its own for each document, such as an order number: naming it means documents that have one."""
    return entry["unique"] and entry["example"].isdigit()


def _having(surveyed: list[dict[str, Any]]) -> str:
    """A test for documents of the kind that the question is about: those with the identifying key that it names."""
    keys = [entry["key"] for entry in surveyed if entry["named"] and _identifies(entry)]
    return f"{keys[0]!r} in metadata" if keys else "True"


def _whole_corpus(question: Question) -> bool:
    """'How many documents are there?' and nothing more: no other content word restricts them."""
    rest = [t for t in question.terms if not re.fullmatch(_NOUN + r"|stored|total|all", fold(t))]
    return not rest and bool(_NOUNS.search(question.folded))


def _collect(chosen: Filter) -> str:
    reads = ""
    if "text" in chosen.reads:
        reads += "    text = Path(f\"/documents/{document['id']}/content.txt\").read_text().casefold()\n"
    if "info" in chosen.reads:
        reads += "    info = json.loads(Path(f\"/documents/{document['id']}/metadata.json\").read_text())\n"
    label = json.dumps(", ".join(chosen.labels) or "in the corpus", ensure_ascii=False)[1:-1]
    label = label.replace("{", "{{").replace("}", "}}")
    return fill(COLLECT, reads=reads, test=" and ".join(chosen.tests) or "True", label=label)
