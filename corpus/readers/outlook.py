"""Outlook messages (.msg): headers as metadata and text, the body, the names of attachments."""

from __future__ import annotations

import io
from typing import Any

from oxmsg import Message

from ..items import Item, Reading, Source, Unreadable
from .html import fragment
from .text import paragraphs

_HEADERS = {"From": "sender", "Date": "sent_date", "Subject": "subject"}


def read(source: Source) -> Reading:
    try:
        message = Message.load(io.BytesIO(source.data))
        metadata = {name: str(value) for name, field in _HEADERS.items() if (value := getattr(message, field))}
        people = [_person(recipient) for recipient in message.recipients]
        attached = [attachment.file_name or "" for attachment in message.attachments]
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
    )


def _person(recipient: Any) -> str:
    return f"{recipient.name} <{recipient.email_address}>" if recipient.name else recipient.email_address
