"""Scholarly articles: nothing that a reader sees of one is lost."""

from __future__ import annotations

from .writers import read, shown, tables

ARTICLE = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.2//EN" "JATS.dtd">
<article xml:lang="en"><front>
<journal-meta><journal-title>Yard Letters</journal-title></journal-meta>
<article-meta><title-group><article-title>On <italic>old</italic> wheels</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Berg</surname><given-names>Ines</given-names></name>
</contrib></contrib-group><aff><label>1</label><institution>Mill School</institution><country>Norway</country></aff>
<author-notes><fn><p>No competing interests.</p></fn></author-notes>
<abstract><p>Wheels turn.</p></abstract>
<funding-group><funding-statement>Nobody paid.</funding-statement></funding-group>
<custom-meta-group><custom-meta><meta-name>Data Availability</meta-name><meta-value>On request.</meta-value>
</custom-meta></custom-meta-group></article-meta></front>
<body><sec><label>1</label><title>Results</title><p>Before <xref>[1]</xref>
<fig-group><fig><label>Figure 1.</label><caption>
<title>The wheel.</title><p>First part.</p><p>Second part.</p></caption>
</fig><fig><label>Figure 1 supplement.</label><caption><p>More of it.</p></caption></fig></fig-group> after.</p>
<sec><title>Stock</title><table-wrap><label>Table 1</label><caption><p>Stock.</p></caption>
<table><thead><tr><th>Item</th><th>Count<sup>a</sup></th></tr></thead>
<tbody><tr><td rowspan="2">Rope</td><td>3</td></tr><tr><td>4</td></tr></tbody></table>
<table-wrap-foot><fn><label>a</label><p>Counted twice.</p></fn></table-wrap-foot></table-wrap>
<list list-type="order"><list-item><p>first</p></list-item><list-item><p>second</p>
<list><list-item><p>inner</p></list-item></list></list-item></list>
<disp-formula><alternatives><tex-math>\\documentclass{m}\\begin{document}$$a=b$$\\end{document}</tex-math>
<math><mi>a</mi></math></alternatives></disp-formula></sec>
<supplementary-material><label>File 1.</label><caption>
<title>Counts.</title></caption></supplementary-material></sec></body>
<back><ack><p>We thank Tom.</p></ack><ref-list>
<ref><label>1</label><element-citation><person-group><name><surname>Ahl</surname><given-names>B</given-names></name>
<name><surname>Cor</surname><given-names>D</given-names></name></person-group><year>2031</year>
<article-title>Gears</article-title></element-citation></ref>
<ref><label>2</label><mixed-citation><name><surname>Eek</surname><given-names>F</given-names></name>,
<source>Cogs</source>.
</mixed-citation></ref></ref-list></back>
<sub-article>
<front-stub><title-group><article-title>Reply</article-title></title-group></front-stub>
<body><sec><title>Point</title><p>Well said.</p></sec></body></sub-article></article>"""


def test_an_article() -> None:
    reading = read(ARTICLE, "a.nxml")
    assert (reading.title, reading.language) == ("On old wheels", "en")
    assert reading.metadata == {"Journal": "Yard Letters", "Authors": "Ines Berg"}
    assert shown(reading) == [
        ("title", "On old wheels"),
        ("text", "Journal: Yard Letters\nAuthors: Ines Berg"),
        ("text", "1 Mill School Norway"),
        ("text", "No competing interests."),
        ("text", "Nobody paid."),
        ("text", "Data Availability: On request."),
        ("h1", "Abstract"),
        ("text", "Wheels turn."),
        ("h1", "1 Results"),
        ("text", "Before [1]"),
        ("picture", "Figure 1. The wheel. First part. Second part."),
        ("picture", "Figure 1 supplement. More of it."),
        ("text", "after."),
        ("h2", "Stock"),
        ("caption", "Table 1 Stock."),
        ("table", ""),
        ("footnote", "a Counted twice."),
        ("list_item", "first"),
        ("list_item", "second"),
        ("list_item", "inner"),
        ("formula", "$$a=b$$"),
        ("caption", "File 1. Counts."),
        ("h1", "Acknowledgements"),
        ("text", "We thank Tom."),
        ("h1", "References"),
        ("list_item", "Ahl B, Cor D. 2031. Gears"),
        ("list_item", "Eek F, Cogs."),
        ("h1", "Reply"),
        ("h2", "Point"),
        ("text", "Well said."),
    ]
    assert tables(reading) == [[["Item", "Counta"], ["Rope", "3"], ["Rope", "4"]]]
    markers = [(item.marker, item.depth) for item in reading.items if item.label == "list_item"]
    assert markers == [("1.", 0), ("2.", 0), ("-", 1), ("1.", 0), ("2.", 0)]


def test_deeply_nested_sections_lose_no_text() -> None:
    deep = "<sec><title>t</title>" * 150 + "<p>deep</p>" + "</sec>" * 150
    reading = read(
        f"<?xml version='1.0'?><article><front><x/></front><!-- JATS --><body>{deep}</body></article>", "a.nxml"
    )
    assert any("deep" in text for _, text in shown(reading))
