"""The EPUB (history of the light) and the OpenDocument text (report of the rescue drill), written part by part."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

from archives import pack

CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""

CHAPTERS = (
    (
        "The wreck of the Annabel",
        "On 2 December 1886 the barque Annabel missed the harbour in a snow squall and was lost on Teal "
        "Point with eleven men. The inquiry asked for a light on the point, and the harbour board, which "
        "had refused one twice for its price, gave way.",
        "Work began in May 1887 under the engineer Josiah Kerr. The granite came from Brevenne by sea, "
        "two blocks at a time.",
    ),
    (
        "The first light",
        "The lamp was lit for the first time on 3 November 1889. It burned paraffin, and its lens of the "
        "third order turned on rollers that the keepers wound up every four hours.",
        "The tower is 19 metres high and stands so that the lamp is 24 metres above high water. Its "
        "character, two flashes every ten seconds, has never been changed.",
    ),
    (
        "The keepers",
        "There were always three keepers. The longest in service was Hannah Greaves, who took over from "
        "her husband in 1917 and stayed until 1949. She saved two men from the trawler Corbie in January "
        "1934.",
        "The last keepers left on 30 September 1978, when the light was made automatic.",
    ),
    (
        "Electricity",
        "Mains electricity came in 1952. In 2016 the lamp was replaced by a light-emitting diode, which "
        "uses 38 watts instead of 1,000. The old lens can be seen in the hall of the harbour office.",
    ),
)


def history_of_the_light(path: Path) -> None:
    files = {f"OEBPS/chapter{n}.xhtml": _chapter(n, *texts) for n, texts in enumerate(CHAPTERS, 1)}
    pack(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER,
            "OEBPS/content.opf": _package(len(CHAPTERS)),
            "OEBPS/nav.xhtml": _navigation(),
            **files,
        },
        path,
    )


def _chapter(number: int, title: str, *paragraphs: str) -> str:
    body = "\n".join(f"<p>{escape(text)}</p>" for text in paragraphs)
    return _page(title, f"<h1>{number} {escape(title)}</h1>\n{body}")


def _page(title: str, body: str) -> str:
    head = f"<head><title>{escape(title)}</title></head>"
    page = f'<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en">{head}'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n{page}\n<body>\n{body}\n</body></html>\n'


def _package(chapters: int) -> str:
    numbers = range(1, chapters + 1)
    kind = 'media-type="application/xhtml+xml"'
    items = "\n".join(f'<item id="c{n}" href="chapter{n}.xhtml" {kind}/>' for n in numbers)
    spine = "".join(f'<itemref idref="c{n}"/>' for n in numbers)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:skarrow:teal-point-light</dc:identifier>
<dc:title>A Short History of Teal Point Light</dc:title>
<dc:creator>Petra Lindqvist</dc:creator>
<dc:language>en</dc:language>
<dc:date>2019-11-03</dc:date>
<meta property="dcterms:modified">2019-11-03T00:00:00Z</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" {kind} properties="nav"/>
{items}
</manifest>
<spine>{spine}</spine>
</package>
"""


def _navigation() -> str:
    links = "".join(
        f'<li><a href="chapter{n}.xhtml">{escape(title)}</a></li>' for n, (title, *_) in enumerate(CHAPTERS, 1)
    )
    return _page("Contents", f'<nav epub:type="toc"><ol>{links}</ol></nav>')


DRILL = (
    ("h1", "Rescue Drill, 22 September 2025"),
    ("p", "Report by Tom Arkley to the board. Weather: south-west 4, sea slight, water 15 degrees."),
    ("h2", "What was done"),
    ("p", "A dummy of 80 kilograms was dropped off the end of the Fish Quay at 10:04. Fourteen people took part."),
    ("h2", "Times"),
    (
        "table",
        (
            ("Step", "Time after the alarm", "Target"),
            ("Horn sounded", "0 min 20 s", "1 min"),
            ("Rescue boat on the water", "3 min 35 s", "4 min"),
            ("Dummy alongside", "6 min 10 s", "7 min"),
            ("Dummy recovered", "7 min 40 s", "8 min"),
        ),
    ),
    ("h2", "What we learned"),
    (
        "p",
        "The cradle jammed once, because its lower bar was fitted the wrong way round. "
        "It is now marked with red paint.",
    ),
    ("p", "Two members of the crew wore no radio. Four new headsets have been ordered for EUR 1,160."),
)
NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:"
PREFIXES = ("office", "text", "table", "meta", "manifest")


def rescue_drill(path: Path) -> None:
    spaces = " ".join(
        f'xmlns:{name}="{NAMESPACE}{name}:1.0"' for name in ("office", "text", "table", "meta", "manifest")
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    body = "\n".join(_element(kind, content) for kind, content in DRILL)
    kind = "application/vnd.oasis.opendocument.text"
    title = "Rescue Drill, 22 September 2025"
    pack(
        {
            "mimetype": kind,
            "content.xml": f'{head}<office:document-content {spaces} office:version="1.3"><office:body><office:text>\n'
            f"{body}\n</office:text></office:body></office:document-content>\n",
            "meta.xml": f'{head}<office:document-meta {spaces} xmlns:dc="http://purl.org/dc/elements/1.1/" '
            f'office:version="1.3"><office:meta><dc:title>{title}</dc:title><dc:creator>Tom Arkley</dc:creator>'
            "<dc:date>2025-09-24T08:00:00</dc:date></office:meta></office:document-meta>\n",
            "styles.xml": f'{head}<office:document-styles {spaces} office:version="1.3"/>\n',
            "META-INF/manifest.xml": f'{head}<manifest:manifest {spaces} manifest:version="1.3">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
            + "".join(
                f'<manifest:file-entry manifest:full-path="{name}.xml" manifest:media-type="text/xml"/>'
                for name in ("content", "meta", "styles")
            )
            + "</manifest:manifest>\n",
        },
        path,
    )


def _element(kind: str, content: str | tuple[tuple[str, ...], ...]) -> str:
    if isinstance(content, tuple):
        rows = "".join(
            "<table:table-row>"
            + "".join(f"<table:table-cell><text:p>{escape(cell)}</text:p></table:table-cell>" for cell in row)
            + "</table:table-row>"
            for row in content
        )
        return f'<table:table><table:table-column table:number-columns-repeated="3"/>{rows}</table:table>'
    if kind == "p":
        return f"<text:p>{escape(content)}</text:p>"
    return f'<text:h text:outline-level="{kind[1:]}">{escape(content)}</text:h>'
