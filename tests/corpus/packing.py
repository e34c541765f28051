"""Archives and messages with files in them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from email.message import EmailMessage

Files = Mapping[str, "str | bytes | Files"]


def packed(files: Files) -> bytes:
    """A ZIP of files; a mapping in it is a ZIP in it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # whose time is always the same
            archive.writestr(entry, packed(content) if isinstance(content, Mapping) else content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def mail(attached: Mapping[str, bytes], subject: str = "The gate") -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ada@example.org", "ben@example.org", subject
    message.set_content("See what is attached.")
    for name, data in attached.items():
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()
