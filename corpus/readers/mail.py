"""E-mail (.eml): decoded headers as metadata and text, the body, and what is attached.

Attached files become documents of their own. Pictures that the body shows are pictures of the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32
from functools import partial
from mimetypes import guess_extension
from urllib.parse import unquote

from ..encodings import decode
from ..items import Item, Member, Reading, Source, Unreadable
from .html import fragment
from .text import paragraphs

_HEADERS = ("From", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject", "Message-ID", "In-Reply-To")
_MAX_PARTS = 500  # messages inside messages count
_CONTENT_ID = re.compile(r"""\bcid:([^"'\s<>)]{1,300})""", re.IGNORECASE)
_SIGNATURES = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")


def read(source: Source) -> Reading:
    message = message_from_bytes(source.data, policy=compat32)
    metadata = {name: value for name in _HEADERS if (value := _header(message, name))}
    parts = list(_parts(message))
    body = [item for part in _bodies(parts) for item in part]
    shown = list(_shown(parts))
    others = [part for part in parts if part not in shown]
    attached = [name for part in others if (name := _file_name(part))]
    items = []
    if metadata:
        items.append(Item("text", "\n".join(f"{name}: {value}" for name, value in metadata.items())))
    items += body
    if attached:
        metadata["Attachments"] = ", ".join(attached)
        items.append(Item("text", f"Attachments: {', '.join(attached)}"))
    items += [Item("picture", look=partial(_data, part)) for part in shown]
    return Reading(items, title=metadata.get("Subject"), metadata=metadata, members=list(_members(others)))


def _shown(parts: Sequence[Message]) -> Iterator[Message]:
    """The pictures that the body shows: they have an id for that, and a page names it unless they lie in the text."""
    pages = "".join(_text(part) for part in parts if part.get_content_type() == "text/html")
    named = {unquote(id) for id in _CONTENT_ID.findall(pages)}
    for part in parts:
        id = str(part.get("Content-ID", "")).strip(" <>")
        is_inline = id in named or part.get_content_disposition() != "attachment"
        if id and is_inline and part.get_content_maintype() == "image":
            yield part


def _members(parts: Sequence[Message]) -> Iterator[Member]:
    used: set[str] = set()
    for number, part in enumerate(parts):
        if not _is_attached(part) or part.get_content_type() in _SIGNATURES:
            continue
        name = (_file_name(part) or _made_up(part)).replace("/", "_").replace("\\", "_").strip(". ") or "attachment"
        while name in used:
            name = f"{number} {name}"
        used.add(name)
        yield Member(name, partial(_data, part))


def _is_attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or bool(_file_name(part))


def _made_up(part: Message) -> str:
    """A name for what has none."""
    if part.get_content_type() == "message/rfc822":
        return f"{_header(part.get_payload(0), 'Subject') or 'message'}.eml"  # type: ignore[arg-type]
    return f"attachment{guess_extension(part.get_content_type()) or ''}"


def _data(part: Message) -> bytes:
    """An attachment as it was before it was sent; of a message all of it."""
    if part.is_multipart():
        try:
            return b"".join(each.as_bytes() for each in part.get_payload())  # type: ignore[union-attr]
        except (KeyError, UnicodeError, ValueError) as error:  # the library writes no message that is badly broken
            raise Unreadable(f"a broken message: {error}") from error
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _header(message: Message, name: str) -> str:
    values = [str(value) for value in message.get_all(name, [])]
    return ", ".join(" ".join(_decoded(value).split()) for value in values)


def _decoded(value: str) -> str:
    """RFC 2047 words decoded; bytes outside ASCII, which are forbidden and common, detected."""
    raw = value.encode("ascii", "surrogateescape") if not _is_broken(value) else value.encode("utf-8", "replace")
    value = decode(raw)
    try:
        return str(make_header(decode_header(value)))
    except (HeaderParseError, LookupError, UnicodeError, ValueError):
        return value


def _is_broken(value: str) -> bool:
    try:
        value.encode("ascii", "surrogateescape")
    except UnicodeEncodeError:
        return True
    return False


def _parts(message: Message) -> list[Message]:
    """What is no container, in order; a message that is attached is one part, one that stands in the text is read."""
    found: list[Message] = []
    waiting = [message]
    while waiting and len(found) < _MAX_PARTS:
        part = waiting.pop()
        if part.is_multipart() and (part is message or not _is_attached(part)):
            waiting += reversed([each for each in part.get_payload() if isinstance(each, Message)])
        else:
            found.append(part)
    return found


def _file_name(part: Message) -> str:
    name = part.get_filename()
    return " ".join(_decoded(name).split()) if name else ""


def _bodies(parts: list[Message]) -> Iterator[list[Item]]:
    """Plain bodies, or HTML ones where nothing is plain: alternatives say the same thing twice."""
    own = [part for part in parts if part.get_content_disposition() != "attachment" and not _file_name(part)]
    plain = [part for part in own if part.get_content_type() == "text/plain" and _text(part).strip()]
    for part in plain or [part for part in own if part.get_content_type() == "text/html"]:
        yield paragraphs(_text(part)) if plain else fragment(_text(part))


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    return decode(payload, part.get_content_charset())
