"""Files in files: archives and attachments as documents of their own, which come, change and go with the file."""

from __future__ import annotations

import io
import json
import stat
import zipfile
import zlib
from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from glossator.analysis.results import Citation, Reach
from glossator.analysis.text import search_text
from glossator.corpus import Corpus, Document, NoEmbedder, Outcome, Scope
from glossator.corpus.conversion import work
from glossator.corpus.convert import Converter
from glossator.corpus.family import MAX_DEPTH
from glossator.corpus.members import collect
from glossator.corpus.purge import found as traced

from . import compound
from .drawings import drawn, file, in_word
from .packing import Files, mail, packed

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:  # one event loop for the module, so that its tests share a server
    return "asyncio"


@pytest.fixture(scope="module")
async def converter() -> AsyncIterator[Converter]:
    async with Converter() as converter:
        yield converter


@pytest.fixture
async def corpus(tmp_path: Path, converter: Converter) -> AsyncIterator[Corpus]:
    async with await opened(tmp_path / "c", converter) as corpus:
        yield corpus


async def opened(folder: Path, converter: Converter) -> Corpus:
    return await Corpus.open(folder, create=True, embedder=NoEmbedder(), converter=converter)


async def add(corpus: Corpus, *paths: Path, **options) -> dict[str, str]:
    """The status of each file, by its place below the folder of the first."""
    outcomes = [outcome async for outcome in corpus.add(paths, **options)]
    return told(outcomes, paths[0].parent)


def told(outcomes: list[Outcome], folder: Path) -> dict[str, str]:
    return {outcome.path.removeprefix(f"{folder}/"): outcome.status for outcome in outcomes}


async def documents(corpus: Corpus) -> dict[str, Document]:
    """By name with those of the files around it."""
    async with await corpus.snapshot() as snapshot:
        return {document.whole_name: document for document in snapshot.documents.values()}


async def content(corpus: Corpus, name: str) -> str:
    document = (await documents(corpus))[name]
    async with await corpus.snapshot() as snapshot:
        return snapshot.read("content.txt", [document.id])[0].decode()


async def test_each_file_is_a_document_that_names_the_one_it_is_in(corpus: Corpus, tmp_path: Path) -> None:
    attachment = mail({"plan.docx": in_word(file())})
    data = packed(
        {"2031/rules.md": "# Rules\n\nThe gate is shut.", "inner.zip": {"note.txt": "A lamp."}, "m.eml": attachment}
    )
    (tmp_path / "box.zip").write_bytes(data)
    assert await add(corpus, tmp_path / "box.zip") == {
        "box.zip": "added",
        "box.zip#2031/rules.md": "added",
        "box.zip#inner.zip": "added",
        "box.zip#inner.zip#note.txt": "added",
        "box.zip#m.eml": "added",
        "box.zip#m.eml#plan.docx": "added",
    }
    found = await documents(corpus)
    parents = {name: document.metadata.get("parent_id") for name, document in found.items()}
    assert parents == {
        "box.zip": None,
        "rules.md in box.zip": found["box.zip"].id,
        "inner.zip in box.zip": found["box.zip"].id,
        "note.txt in inner.zip in box.zip": found["inner.zip in box.zip"].id,
        "m.eml in box.zip": found["box.zip"].id,
        "plan.docx in m.eml in box.zip": found["m.eml in box.zip"].id,
    }
    rules = found["rules.md in box.zip"]
    assert (rules.uri, rules.title, rules.name) == (f"{found['box.zip'].uri}#2031/rules.md", "Rules", "rules.md")
    assert "2031/rules.md" in await content(corpus, "box.zip")
    async with await corpus.snapshot() as snapshot:
        assert json.loads(snapshot.read("metadata.json", [rules.id])[0])["metadata"]["parent_id"] == found["box.zip"].id
        page = await snapshot.search("gate shut", where={"parent_id": found["box.zip"].id})
        assert page.results[0].document.id == rules.id
        assert snapshot.picture(found["plan.docx in m.eml in box.zip"].id, "#/pictures/0") is not None
    for key in ("rules.md", "rules.md in box.zip", str(tmp_path / "box.zip#2031/rules.md"), rules.uri):
        assert (await corpus.find(key)).id == rules.id
    assert await add(corpus, tmp_path / "box.zip") == {"box.zip": "unchanged"}


async def test_an_update_brings_changes_and_removes_what_is_gone(corpus: Corpus, tmp_path: Path) -> None:
    box = tmp_path / "box.zip"
    inner: Files = {"deep.txt": "A deep text.", "deeper.zip": {"deepest.txt": "The deepest text."}}
    box.write_bytes(packed({"a.txt": "One.", "b.txt": "Two.", "gone.zip": {"c.txt": "Three."}, "inner.zip": inner}))
    await add(corpus, box)
    before = await documents(corpus)
    box.write_bytes(packed({"a.txt": "One.", "b.txt": "Two and more.", "d.txt": "Four.", "inner.zip": inner}))
    assert await add(corpus, box) == {
        "box.zip": "updated",
        "box.zip#a.txt": "unchanged",
        "box.zip#b.txt": "updated",
        "box.zip#d.txt": "added",
        "box.zip#inner.zip": "unchanged",
        "box.zip#gone.zip": "removed",
        "box.zip#gone.zip#c.txt": "removed",
    }
    after = await documents(corpus)
    assert after.keys() == (before.keys() - {"gone.zip in box.zip", "c.txt in gone.zip in box.zip"}) | {
        "d.txt in box.zip"
    }
    assert all(after[name].id == before[name].id for name in after.keys() & before.keys())
    assert (
        after["deepest.txt in deeper.zip in inner.zip in box.zip"]
        == before["deepest.txt in deeper.zip in inner.zip in box.zip"]
    )
    box.write_bytes(b"PK\x03\x04 broken")
    assert await add(corpus, box) == {"box.zip": "failed"}
    assert (await documents(corpus)).keys() == after.keys()


async def test_an_archive_of_nothing_takes_its_files_away(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "box.zip").write_bytes(packed({"a.txt": "One."}))
    await add(corpus, tmp_path / "box.zip")
    (tmp_path / "box.zip").write_bytes(packed({}))
    assert await add(corpus, tmp_path / "box.zip") == {"box.zip": "empty", "box.zip#a.txt": "removed"}


@pytest.mark.parametrize("purge", [False, True])
async def test_files_go_with_the_file_that_they_are_in(corpus: Corpus, tmp_path: Path, purge: bool) -> None:
    secret = "The word of the vault is heliotrope and nothing else."
    (tmp_path / "box.zip").write_bytes(packed({"in.zip": {"secret.txt": secret}}))
    (tmp_path / "box.zip#x").mkdir()
    (tmp_path / "box.zip#x" / "other.txt").write_text("A file of its own.")
    await add(corpus, tmp_path / "box.zip", tmp_path / "box.zip#x")
    if purge:
        purged = await corpus.purge(["box.zip"])
        assert len(purged.documents) == 3 and traced(tmp_path / "c", purged.traces) == []
        assert not any(b"heliotrope" in each.read_bytes() for each in (tmp_path / "c").rglob("*") if each.is_file())
    else:
        assert len(await corpus.remove(["box.zip"])) == 3
    assert list(await documents(corpus)) == ["other.txt"]


async def test_a_folder_takes_an_archive_as_one_file(corpus: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "box.zip").write_bytes(packed({"a.txt": "One.", "in.zip": {"b.txt": "Two."}}))

    async def sync(**options) -> dict[str, str]:
        return told([outcome async for outcome in corpus.sync(folder, **options)], folder)

    assert len(await sync()) == 4
    before = await documents(corpus)
    assert await sync() == {"box.zip": "unchanged"}
    (folder / "box.zip").rename(folder / "case.zip")
    (folder / "a.txt").write_text("One.")  # the same as in the archive, which is no reason to take it for that
    assert await sync(metadata={"team": "law"}) == {
        "a.txt": "added",
        "case.zip": "renamed",
        "case.zip#a.txt": "renamed",
        "case.zip#in.zip": "renamed",
        "case.zip#in.zip#b.txt": "renamed",
    }
    after = await documents(corpus)
    for name in before:
        now = after[name.replace("box", "case")]
        assert now.id == before[name].id and now.metadata["team"] == "law"
        assert now.metadata.get("parent_id") == before[name].metadata.get("parent_id")
    (folder / "case.zip").unlink()
    assert await sync() == {
        "a.txt": "unchanged",
        "case.zip": "removed",
        "case.zip#a.txt": "removed",
        "case.zip#in.zip": "removed",
        "case.zip#in.zip#b.txt": "removed",
    }


async def test_collections_and_scopes_take_files_in_files(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "box.zip").write_bytes(packed({"a.txt": "One gate."}))
    await corpus.collections.create("Boxes")
    await add(corpus, tmp_path / "box.zip", collections=["Boxes"], metadata={"year": 2031})
    async with await corpus.snapshot(Scope(where={"collection": "Boxes", "year": 2031})) as snapshot:
        assert [document.name for document in snapshot.documents.values()] == ["box.zip", "a.txt"]


def locked() -> bytes:
    """An archive whose file says that it is encrypted."""
    data = bytearray(packed({"secret.txt": "A secret."}))
    for magic, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(magic) + at] |= 1
    return bytes(data)


def linked() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        entry = zipfile.ZipInfo("passwd")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    return out.getvalue()


def damaged() -> bytes:
    data = bytearray(packed({"a.txt": "A text that is long enough to be damaged in its middle. " * 9}))
    data[50] ^= 0xFF
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        pytest.param(locked(), "secret.txt", "encrypted: a password is needed", id="encrypted"),
        pytest.param(linked(), "passwd", "a link", id="a link"),
        pytest.param(damaged(), "a.txt", "broken archive: a.txt", id="damaged"),
        pytest.param(packed({"a.7z": b"7z\xbc\xaf\x27\x1c" + bytes(40)}), "a.7z", "an archive; unpack it", id="7z"),
        pytest.param(packed({"a.exe": b"MZ" + bytes(99)}), "a.exe", "a program, not a document", id="a program"),
        pytest.param(packed({"a.pdf": b"%PDF-1.4 nothing"}), "a.pdf", "broken PDF", id="a broken PDF"),
    ],
)
async def test_what_cannot_be_read_in_an_archive_is_named_and_counted(
    corpus: Corpus, tmp_path: Path, data: bytes, name: str, reason: str
) -> None:
    (tmp_path / "box.zip").write_bytes(data)
    outcomes = [outcome async for outcome in corpus.add([tmp_path / "box.zip"])]
    assert [outcome.status for outcome in outcomes] == ["added", "failed"]
    assert outcomes[1].path == f"{tmp_path}/box.zip#{name}" and (outcomes[1].reason or "").startswith(reason)
    async with await corpus.snapshot() as snapshot:
        (unreadable,) = snapshot.documents.unreadable
        assert unreadable.name == name and (unreadable.reason or "").startswith(reason)


async def test_a_bomb_costs_its_limit(
    converter: Converter, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A directory that tells lies about sizes: no more is unpacked than may be."""
    zeros = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = b"".join([*(zeros.compress(bytes(1 << 20)) for _ in range(300)), zeros.flush()])
    data = packed({"zeros.txt": b"x"})
    local, central = data.index(b"PK\x03\x04"), data.index(b"PK\x01\x02")
    name = len("zeros.txt")
    head = bytearray(data[local : local + 30 + name])
    head[18:22] = len(body).to_bytes(4, "little")
    entry = bytearray(data[central : data.index(b"PK\x05\x06")])
    entry[20:24] = len(body).to_bytes(4, "little")
    end = bytearray(data[data.index(b"PK\x05\x06") :])
    end[16:20] = (len(head) + len(body)).to_bytes(4, "little")
    (tmp_path / "bomb.zip").write_bytes(bytes(head) + body + bytes(entry) + bytes(end))
    assert (tmp_path / "bomb.zip").stat().st_size < 400_000
    outcomes = [outcome async for outcome in corpus.add([tmp_path / "bomb.zip"])]
    assert [outcome.status for outcome in outcomes] == ["added", "failed"]
    assert "zeros.txt" in (outcomes[1].reason or "")


async def test_archives_in_archives_are_opened_to_a_depth(corpus: Corpus, tmp_path: Path) -> None:
    files: Files = {"deepest.txt": "Down here."}
    for number in range(MAX_DEPTH + 1):
        files = {f"{number}.zip": files}
    (tmp_path / "box.zip").write_bytes(packed(files))
    outcomes = [outcome async for outcome in corpus.add([tmp_path / "box.zip"])]
    assert len(outcomes) == MAX_DEPTH + 1 and {outcome.status for outcome in outcomes} == {"added"}
    assert outcomes[-1].reason == f"the file in it is not read: archives in archives are opened {MAX_DEPTH} deep"
    assert (await documents(corpus))["1.zip in 2.zip in 3.zip in box.zip"].reason == outcomes[-1].reason


async def test_of_too_many_files_none_is_read_and_their_list_is(corpus: Corpus, tmp_path: Path) -> None:
    count = work.MAX_MEMBERS + 1
    (tmp_path / "box.zip").write_bytes(packed({f"{number}.txt": "One." for number in range(count)}))
    (outcome,) = [outcome async for outcome in corpus.add([tmp_path / "box.zip"])]
    assert outcome.status == "added" and (outcome.reason or "").startswith(f"the {count} files in it are not read")
    assert f"{work.MAX_MEMBERS}.txt" in await content(corpus, "box.zip")


async def test_names_lead_nowhere_and_are_told_apart(corpus: Corpus, tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        for name in ("../../etc/a.txt", "/b.txt", "c\\d.txt", "e.txt", "e.txt", "f#g%.txt", "__MACOSX/h", ".i/j", "k/"):
            archive.writestr(name, "" if name.endswith("/") else f"Text of {name}.")
    (tmp_path / "box.zip").write_bytes(out.getvalue())
    names = ["etc/a.txt", "b.txt", "c/d.txt", "e.txt", "e (2).txt", "f#g%.txt"]
    assert await add(corpus, tmp_path / "box.zip") == dict.fromkeys(
        ["box.zip", *(f"box.zip#{name}" for name in names)], "added"
    )
    found = list((await documents(corpus)).values())
    assert [document.name for document in found] == ["box.zip", *(name.rsplit("/", 1)[-1] for name in names)]
    assert len({document.uri for document in found}) == len(found)


async def test_attachments_are_documents_and_shown_pictures_are_pictures(corpus: Corpus, tmp_path: Path) -> None:
    forwarded = EmailMessage()
    forwarded["Subject"], forwarded["From"] = "Old quarrel", "cy@example.org"
    forwarded.set_content("The quarrel is about the sluice.")
    message = EmailMessage()
    message["From"], message["Subject"] = "ada@example.org", "The gate"
    message.set_content("See below.")
    message.add_alternative("<p>See below.</p><img src='cid:logo'>", subtype="html")
    (_, page) = message.iter_parts()
    assert isinstance(page, EmailMessage)
    page.add_related(file(drawn(90, 60)), "image", "png", cid="<logo>", filename="image001.png")
    message.add_attachment("a;b\n1;2\n", subtype="csv", filename="fees.csv")
    message.add_attachment(b"signed", "application", "pgp-signature", filename="signature.asc")
    message.add_attachment(forwarded)
    (tmp_path / "m.eml").write_bytes(message.as_bytes())
    assert await add(corpus, tmp_path / "m.eml") == {
        "m.eml": "added",
        "m.eml#fees.csv": "added",
        "m.eml#Old quarrel.eml": "added",
    }
    found = await documents(corpus)
    assert found["Old quarrel.eml in m.eml"].title == "Old quarrel"
    assert "sluice" in await content(corpus, "Old quarrel.eml in m.eml")
    text = await content(corpus, "m.eml")
    assert "sluice" not in text and "fees.csv" in text and "image001" not in text
    async with await corpus.snapshot() as snapshot:
        picture = snapshot.picture(found["m.eml"].id, "#/pictures/0")
        assert picture is not None and (picture.width, picture.height) == (90, 60)


async def test_attachments_of_outlook_messages_are_documents(corpus: Corpus, tmp_path: Path) -> None:
    attached = {"fees.csv": b"Ship,Fee\nOrca,40\n", "plan.docx": in_word(file()), "a/b.txt": b"A lamp."}
    (tmp_path / "m.msg").write_bytes(compound.message("The gate", "See what is attached.", attached))
    assert await add(corpus, tmp_path / "m.msg") == {
        "m.msg": "added",
        "m.msg#fees.csv": "added",
        "m.msg#plan.docx": "added",
        "m.msg#a_b.txt": "added",
    }
    assert "| Orca | 40 |" in await content(corpus, "fees.csv in m.msg")
    found = await documents(corpus)
    assert found["m.msg"].title == "The gate"
    assert {found[name].metadata["parent_id"] for name in found if name != "m.msg"} == {found["m.msg"].id}


async def test_citations_name_the_file_and_the_one_it_is_in(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "box.zip").write_bytes(packed({"rules.md": "# Rules\n\nThe gate is shut at night."}))
    await add(corpus, tmp_path / "box.zip")
    async with await corpus.snapshot() as snapshot:
        page = await snapshot.search("gate shut at night")
        (result,) = [result for result in page.results if result.document.name == "rules.md"]
        assert "Type: paragraph   File: rules.md in box.zip" in search_text(page, scope=Reach(2, 0))
        assert Citation.of(result.chunk, result.document).title == "Rules in box.zip"


async def test_a_link_that_a_child_leaves_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "member-0").symlink_to("/etc/hostname")
    with pytest.raises(ValueError, match="member-0"):
        collect([["a.txt", ""]], 0, tmp_path)
    (tmp_path / "member-0").unlink()
    with pytest.raises(OSError, match="member-0"):
        collect([["a.txt", ""]], 0, tmp_path)


async def test_unpacked_files_are_deleted(converter: Converter, tmp_path: Path) -> None:
    (tmp_path / "box.zip").write_bytes(packed({"a.txt": "One."}))
    result = await converter.convert(tmp_path / "box.zip", document_id="abcdefghij")
    (unpacked,) = result.members.files
    assert unpacked.path is not None and unpacked.path.read_text() == "One." and unpacked.path.name == "a.txt"
    result.members.close()
    assert not unpacked.path.parent.parent.exists()
