"""E-mail (.eml): decoded headers as metadata and text, the body, and the names of what is attached."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32

from ..encodings import decode
from ..items import Item, Reading, Source
from .html import fragment
from .text import paragraphs

_HEADERS = ("From", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject", "Message-ID", "In-Reply-To")
_MAX_PARTS = 500  # messages inside messages count


def read(source: Source) -> Reading:
    message = message_from_bytes(source.data, policy=compat32)
    metadata = {name: value for name in _HEADERS if (value := _header(message, name))}
    parts = list(_parts(message))
    body = [item for part in _bodies(parts) for item in part]
    attached = [name for part in parts if (name := _file_name(part))]
    items = []
    if metadata:
        items.append(Item("text", "\n".join(f"{name}: {value}" for name, value in metadata.items())))
    items += body
    if attached:
        metadata["Attachments"] = ", ".join(attached)
        items.append(Item("text", f"Attachments: {', '.join(attached)}"))
    return Reading(items, title=metadata.get("Subject"), metadata=metadata)


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


def _parts(message: Message) -> Iterator[Message]:
    for number, part in enumerate(message.walk()):
        if number == _MAX_PARTS:
            return
        if not part.is_multipart():
            yield part


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
