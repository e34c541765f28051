"""Outlook messages (.msg): headers as metadata and text, the body; attached files become documents of their own."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import partial
from typing import Any

from oxmsg import Message

from ..items import Item, Member, Reading, Source, Unreadable
from .html import fragment
from .text import paragraphs

_HEADERS = {"From": "sender", "Date": "sent_date", "Subject": "subject"}


def read(source: Source) -> Reading:
    try:
        message = Message.load(io.BytesIO(source.data))
        metadata = {name: str(value) for name, field in _HEADERS.items() if (value := getattr(message, field))}
        people = [_person(recipient) for recipient in message.recipients]
        attached = [attachment.file_name or "" for attachment in message.attachments]
        members = list(_members(message.attachments))
        body, page = message.body, message.html_body
    except (
        ValueError,
        KeyError,
        IndexError,
        AttributeError,
        TypeError,
        OSError,
    ) as error:  # oxmsg has no errors of its own
        raise Unreadable(f"broken Outlook message: {error}") from error
    if people:
        metadata["To"] = ", ".join(people)
    if attached:
        metadata["Attachments"] = ", ".join(filter(None, attached))
    head = Item("text", "\n".join(f"{name}: {value}" for name, value in metadata.items()))
    return Reading(
        [head, *(paragraphs(body) if body else fragment(page or ""))],
        title=metadata.get("Subject"),
        metadata=metadata,
        members=members,
    )


def _members(attachments: Any) -> Iterator[Member]:
    """What is attached; a message in the message has no bytes of its own, and cannot be taken out."""
    used: set[str] = set()
    for number, each in enumerate(attachments, 1):
        name = (each.file_name or f"attachment {number}").replace("/", "_").replace("\\", "_").strip(
            ". "
        ) or "attachment"
        name = f"{number} {name}" if name in used else name
        used.add(name)
        data = each.file_bytes
        if data is None:
            yield Member(name, refusal="a message inside an Outlook message; save it as a file of its own")
        else:
            yield Member(name, partial(bytes, data))


def _person(recipient: Any) -> str:
    return f"{recipient.name} <{recipient.email_address}>" if recipient.name else recipient.email_address
