"""Scholarly articles (JATS), and patents (USPTO) through docling; the bibliographic data of both."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..items import Item, Reading, Source
from . import jats
from .docling import items_of, parse
from .xml import parse as parse_xml

_SPACE = re.compile(r"\s+")


def read(source: Source) -> Reading:
    format = source.format
    root = parse_xml(source.data)
    metadata = {name: value for name, find in _FIELDS[format].items() if (value := find(root))}
    items = jats.items_of(root) if format == "jats" else items_of(parse(source.data, source.name, format))
    title = next((item.text for item in items if item.label == "title"), None)
    about = Item("text", "\n".join(f"{name}: {value}" for name, value in metadata.items()))
    at = 1 if items and items[0].label == "title" else 0
    return Reading([*items[:at], about, *items[at:]], title=title, metadata=metadata, language=_language(root))


def _language(root: Any) -> str | None:
    return root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.get("lang")


def _texts(path: str) -> Callable[[Any], str]:
    """All texts at an XPath, in order, without repeats."""

    def find(root: Any) -> str:
        texts = [_SPACE.sub(" ", "".join(node.itertext())).strip() for node in root.xpath(path)]
        return ", ".join(dict.fromkeys(text for text in texts if text))

    return find


def _names(path: str, *parts: str) -> Callable[[Any], str]:
    """Names put together from their parts."""

    def find(root: Any) -> str:
        names = [" ".join(node.findtext(part, "").strip() for part in parts).strip() for node in root.xpath(path)]
        return ", ".join(dict.fromkeys(name for name in names if name))

    return find


def _date(path: str) -> Callable[[Any], str]:
    def find(root: Any) -> str:
        for node in root.xpath(path):
            parts = [node.findtext(part, "").strip().zfill(2) for part in ("year", "month", "day")]
            return "-".join(part for part in parts if part != "00")
        return ""

    return find


def _iso_date(path: str) -> Callable[[Any], str]:
    """20140318 as 2014-03-18."""

    def find(root: Any) -> str:
        text = _texts(path)(root)
        return f"{text[:4]}-{text[4:6]}-{text[6:]}" if re.fullmatch(r"\d{8}", text) else text

    return find


_META = "//front/article-meta"
_BIBLIO = "//*[starts-with(name(), 'us-bibliographic-data')]"
_FIELDS: dict[str, dict[str, Callable[[Any], str]]] = {
    "jats": {
        "Journal": _texts("//front/journal-meta//journal-title"),
        "DOI": _texts(f"{_META}/article-id[@pub-id-type='doi']"),
        "PMID": _texts(f"{_META}/article-id[@pub-id-type='pmid']"),
        "Authors": _names(f"{_META}//contrib[@contrib-type='author']/name", "given-names", "surname"),
        "Published": _date(f"{_META}/pub-date"),
        "Volume": _texts(f"{_META}/volume"),
        "Received": _date(f"{_META}/history/date[@date-type='received']"),
        "Accepted": _date(f"{_META}/history/date[@date-type='accepted']"),
        "Subjects": _texts(f"{_META}//article-categories//subject"),
        "Keywords": _texts(f"{_META}/kwd-group/kwd"),
        "Licence": _texts(f"{_META}/permissions/license//license-p"),
        "Funding": _texts(f"{_META}//funding-group//funding-source//institution"),
    },
    "uspto": {
        "Patent number": _texts(f"{_BIBLIO}/publication-reference//doc-number"),
        "Kind": _texts(f"{_BIBLIO}/publication-reference//kind"),
        "Published": _iso_date(f"{_BIBLIO}/publication-reference//date"),
        "Application number": _texts(f"{_BIBLIO}/application-reference//doc-number"),
        "Filed": _iso_date(f"{_BIBLIO}/application-reference//date"),
        "Inventors": _names("//inventor/addressbook | //us-applicant/addressbook", "first-name", "last-name"),
        "Applicants": _texts("//us-applicant/addressbook/orgname"),
        "Assignees": _texts("//assignee//orgname"),
        "Attorneys": _texts("//agents//orgname"),
        "Examiners": _names("//examiners/*", "first-name", "last-name"),
        "References cited": _texts("//us-citation/patcit/document-id/doc-number | //citation/patcit//doc-number"),
        "Number of claims": _texts(f"{_BIBLIO}/number-of-claims"),
    },
}
