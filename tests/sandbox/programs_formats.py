"""Programs by module of the standard library, as models write them: formats, files in memory, bytes."""
# ruff: noqa: E501  (programs as they are written)

PROGRAMS = {
    "json-everything": """
import json
from datetime import date
from decimal import Decimal
from dataclasses import dataclass, asdict, is_dataclass
@dataclass
class Item: name: str; price: Decimal; day: date
class Encoder(json.JSONEncoder):
    def default(self, o):
        if is_dataclass(o): return asdict(o)
        if isinstance(o, (Decimal, date)): return str(o)
        if isinstance(o, set): return sorted(o)
        return super().default(o)
data = {"items": [Item("a", Decimal("1.50"), date(2024, 1, 2))], "tags": {"y", "x"}, "n": None, "ü": [1.0, True]}
print(json.dumps(data, cls=Encoder, sort_keys=True), json.dumps({"ü": 1}, ensure_ascii=False, indent=1, separators=(",", ": ")))
print(json.dumps({"d": date(2024, 1, 1)}, default=str), json.loads('{"a": 1.10, "b": [1e3]}', parse_float=Decimal), json.loads('{"x": 1, "x": 2}', object_pairs_hook=list), json.loads('[{"a": 1}]', object_hook=lambda d: tuple(d.items())))
for bad in ('{"a": }', "[1, 2", "", "nope"):
    try: json.loads(bad)
    except json.JSONDecodeError as e: print(e.msg, e.lineno, e.colno, e.pos)
try: json.dumps({1, 2})
except TypeError as e: print(e)
print(json.JSONDecoder().raw_decode('{"a": 1} rest'), list(json.JSONEncoder(indent=None).iterencode([1]))[:3], json.loads("NaN") != json.loads("NaN"), json.dumps(float("inf")), json.loads(b'"bytes"'))
lines = ['{"id": 1}', '', '{"id": 2}']; print([json.loads(l)["id"] for l in lines if l.strip()])
import io; f = io.StringIO(); json.dump([1, {"a": None}], f, indent=2); f.seek(0); print(json.load(f), f.getvalue())
""",
    "csv-both-ways": '''
import csv, io
text = 'name;amount;note\\n"Smith; J.";1.234,50;"said ""hi"""\\nDoe;7,00;\\n'
rows = list(csv.DictReader(io.StringIO(text), delimiter=";")); print(rows, rows[0].keys(), csv.DictReader(io.StringIO(text), delimiter=";").fieldnames)
print(sum(float(r["amount"].replace(".", "").replace(",", ".")) for r in rows))
out = io.StringIO(); w = csv.DictWriter(out, ["b", "a"], extrasaction="ignore", restval="-", lineterminator="\\n"); w.writeheader(); w.writerows([{"a": 1, "b": "x,y", "c": 3}, {"a": 'q"q'}]); print(out.getvalue())
w = csv.writer(out := io.StringIO(), quoting=csv.QUOTE_ALL, lineterminator="\\n"); w.writerow([1, None, "a\\nb"]); print(repr(out.getvalue()))
print(csv.Sniffer().sniff("a|b|c\\n1|2|3\\n4|5|6\\n").delimiter, csv.Sniffer().has_header("name,age\\nbob,3\\nann,4\\n"), list(csv.reader(["a\\tb"], dialect="excel-tab")), list(csv.reader(["1,'x,y'"], quotechar="'")), csv.list_dialects())
class Pipe(csv.Dialect): delimiter = "|"; quoting = csv.QUOTE_MINIMAL; quotechar = '"'; lineterminator = "\\n"
csv.register_dialect("pipe", Pipe); print(list(csv.reader(["a|b"], "pipe")))
r = csv.reader(io.StringIO("a,b\\n1,2\\n")); print(next(r), r.line_num, list(r))
try: list(csv.reader(["a\\0b"], strict=True)); list(csv.reader(['"a"b'], strict=True))
except csv.Error as e: print(e)
try: w = csv.DictWriter(io.StringIO(), ["a"]); w.writerow({"z": 1})
except ValueError as e: print(e)
''',
    "xml-etree": '''
import xml.etree.ElementTree as ET
from xml.etree.ElementTree import Element, SubElement, tostring
import io
doc = """<?xml version="1.0"?><catalog xmlns:d="urn:d" lang="en"><book id="1" d:x="y"><title>One</title><price>9.5</price></book><book id="2"><title>Two &amp; more</title></book></catalog>"""
root = ET.fromstring(doc)
print(root.tag, root.attrib, len(root), [b.get("id") for b in root.findall("book")], root.find("book[@id='2']/title").text, root.findtext("book/price"), [e.tag for e in root.iter()], root[0].attrib)
for book in root: print({child.tag: child.text for child in book}, book.find("none"))
new = Element("r", {"a": "1"}); SubElement(new, "c").text = "x<y"; new.append(ET.Comment("note")); print(tostring(new).decode(), tostring(new, encoding="unicode", method="text"), ET.iselement(new))
tree = ET.ElementTree(root); print(tree.getroot() is root, [e.text for e in tree.iterfind(".//title")], tree.find("book").get("id")); ET.indent(tree); buffer = io.BytesIO(); tree.write(buffer, encoding="utf-8", xml_declaration=True); print(buffer.getvalue()[:60])
parsed = ET.parse(io.StringIO("<a><b>1</b><b>2</b></a>")); print(sum(int(b.text) for b in parsed.getroot().iter("b")), [e.tag for _, e in ET.iterparse(io.BytesIO(b"<x><y/></x>"), events=("end",))])
try: ET.fromstring("<a><b></a>")
except ET.ParseError as e: print(e, e.position, e.code)
root.remove(root[1]); root.set("n", "3"); print(ET.tostring(root, encoding="unicode")[:40], ET.fromstring("<a>t<b/>tail</a>")[0].tail, "".join(ET.fromstring("<p>a<i>b</i>c</p>").itertext()), ET.canonicalize("<a  b='1' a='2'/>"))
p = ET.XMLParser(target=ET.TreeBuilder()); p.feed("<q>"); p.feed("</q>"); print(p.close().tag, ET.XMLID("<a id='k'/>")[1].keys(), ET.QName("urn:x", "t").text)
pull = ET.XMLPullParser(["start"]); pull.feed("<m><n/>"); print([(e, x.tag) for e, x in pull.read_events()])
''',
    "xml-minidom-and-sax": """
from xml.dom import minidom
from xml.sax.saxutils import escape, unescape, quoteattr
d = minidom.parseString("<a k='v'><b>text</b><b/></a>")
print(d.documentElement.tagName, d.documentElement.getAttribute("k"), [n.nodeName for n in d.documentElement.childNodes], d.getElementsByTagName("b")[0].firstChild.data)
print(d.documentElement.toxml(), d.toprettyxml(indent=" ").splitlines()[1:3], escape("<&>"), unescape("&lt;"), quoteattr('a"b'))
""",
    "html-parser-tables": """
from html.parser import HTMLParser
class Tables(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.rows, self._row, self._cell, self._in = [], None, [], False
    def handle_starttag(self, tag, attrs):
        if tag == "tr": self._row = []
        elif tag in ("td", "th"): self._in, self._cell = True, []
        elif tag == "a": self._cell.append("[" + dict(attrs).get("href", "") + "]")
    def handle_endtag(self, tag):
        if tag in ("td", "th"): self._in = False; self._row.append("".join(self._cell).strip())
        elif tag == "tr" and self._row: self.rows.append(self._row)
    def handle_data(self, data):
        if self._in: self._cell.append(data)
    def handle_startendtag(self, tag, attrs): print("single", tag)
    def handle_comment(self, data): print("comment", data.strip())
p = Tables(); p.feed("<table><!-- c --><tr><th>A &amp; B</th></tr><tr><td><a href='/x'>1</a></td><td>2<br/></td></tr></table>"); p.close(); print(p.rows, p.getpos())
import html.entities; print(html.entities.name2codepoint["eacute"], html.entities.html5["lt;"], html.entities.codepoint2name[233])
""",
    "bytes-hashes-encodings": """
import base64, hashlib, hmac, binascii, zlib, gzip, bz2, lzma, uuid, codecs, io, struct
print(hashlib.sha256(b"abc").hexdigest()[:12], hashlib.new("md5", b"x").hexdigest()[:8], hashlib.blake2b(b"a", digest_size=4).hexdigest(), hmac.new(b"k", b"m", "sha256").hexdigest()[:8], hmac.compare_digest("a", "a"))
h = hashlib.sha1(); h.update(b"a"); h.update(b"b"); print(h.hexdigest()[:8], h.name, h.digest_size, h.copy().digest() == h.digest())
print(base64.b64encode(b"\\xff\\x00"), base64.urlsafe_b64decode("_wA="), base64.b32encode(b"hi"), base64.b85encode(b"hey"), binascii.hexlify(b"ab"), binascii.crc32(b"x"), zlib.crc32(b"x"), bytes.fromhex("de ad"))
data = b"spam " * 100
for module in (zlib, gzip, bz2, lzma): print(module.__name__, module.decompress(module.compress(data)) == data)
print(uuid.uuid5(uuid.NAMESPACE_DNS, "example.org"), uuid.UUID("12345678123456781234567812345678").version, str(uuid.UUID(int=1)), uuid.uuid4().version, len({uuid.uuid4() for _ in range(5)}), uuid.UUID(int=5).hex[-3:])
print(codecs.encode("abc", "rot13"), codecs.decode(b"YQ==", "base64"), codecs.BOM_UTF8, codecs.lookup("utf8").name, list(codecs.iterdecode([b"a", b"b"], "utf-8")), codecs.getincrementaldecoder("utf-8")().decode(b"\\xc3"))
b = bytearray(b"abc"); b[0] = 65; b += b"!"; b.extend([66]); del b[1]; print(b, bytes(b).find(b"c"), memoryview(b)[1:3].tobytes(), b"a,b".split(b","), b"x".join([b"1", b"2"]), bytes(3), b"\\n a".strip(), "é".encode("latin-1"), b"\\xe9".decode("cp1252"))
try: b"\\xff".decode()
except UnicodeDecodeError as e: print(e.reason, e.start, e.encoding, e.object)
""",
    "io-streams": """
import io, sys, contextlib
f = io.StringIO("one\\ntwo\\nthree"); print(f.readline(), f.read(2), f.tell(), f.readlines(), f.seek(0), [l.strip() for l in f], f.closed)
with io.StringIO() as g: print("x", 1, sep="-", end="!", file=g); g.writelines(["a", "b"]); print(g.getvalue(), g.truncate(2), g.getvalue())
b = io.BytesIO(b"\\x00\\x01abc"); print(b.read(2), b.getbuffer().nbytes, b.read1(), io.TextIOWrapper(io.BytesIO(b"t\\r\\nu"), encoding="utf-8", newline=None).read(), list(io.BytesIO(b"a\\nb")))
out = io.StringIO()
with contextlib.redirect_stdout(out): print("hidden"); sys.stdout.write("too\\n")
print(repr(out.getvalue())); print("err", file=sys.stderr); sys.stdout.write("direct\\n"); sys.stdout.flush(); print(sys.stdout.isatty(), sys.stdout.writable())
try: f.close(); f.read()
except ValueError as e: print(e)
print("a", "b", sep="", end=""); print(flush=True); print(*[1, 2], sep="\\n")
""",
    "toml-ini-yamlish": '''
import tomllib, configparser, io
t = tomllib.loads("""
title = "x"
[owner]
born = 1979-05-27
ports = [1, 2]
[[p]]
a = 1.5
"""); print(t, t["owner"]["born"].year)
try: tomllib.loads("a = ")
except tomllib.TOMLDecodeError as e: print(type(e).__name__)
c = configparser.ConfigParser(); c.read_string("[db]\\nhost = h\\nport = 5\\nurl = %(host)s:%(port)s\\n[x]\\nok = yes\\n"); print(c.sections(), c["db"]["url"], c.getint("db", "port"), c["x"].getboolean("ok"), c.has_option("db", "z"), c.get("db", "z", fallback="-"), dict(c["x"]))
out = io.StringIO(); c["new"] = {"k": "v"}; c.write(out); print(out.getvalue().splitlines()[-2:])
''',
    "urls-and-mail": """
from urllib.parse import urlparse, urljoin, parse_qs, urlencode, quote, unquote, urlsplit, urlunsplit, parse_qsl
u = urlparse("https://user:pw@example.org:8080/a/b;p?q=1&q=2#frag"); print(u.netloc, u.hostname, u.port, u.path, u.params, u._replace(scheme="http").geturl(), u.username)
print(parse_qs(u.query), urlencode({"a": "ä b", "c": [1, 2]}, doseq=True), urljoin("http://h/a/b", "../c"), quote("a/ä", safe=""), unquote("%C3%A4"), urlunsplit(("s", "h", "/p", "", "")), parse_qsl("x=1&y="))
from email.utils import parseaddr, parsedate_to_datetime, getaddresses
print(parseaddr("A <a@x.org>"), parsedate_to_datetime("Mon, 15 Jan 2024 10:00:00 +0100").isoformat(), getaddresses(["a@b, C <c@d>"]))
import mimetypes; print(mimetypes.guess_type("a.pdf")[0])
import ipaddress; print(ipaddress.ip_address("10.0.0.1").is_private, ipaddress.ip_network("10.0.0.0/30").num_addresses, [str(h) for h in ipaddress.ip_network("10.0.0.0/30").hosts()])
""",
    "pprint-and-copy": """
import copy, pprint
from pprint import pformat
nested = {"b": [list(range(12)), {"k" * 30: "v" * 60}], "a": ("x",), "c": {3, 1, 2}}
pprint.pprint(nested, width=60); print(pformat({"z": 1, "a": {"q": [1, 2]}}, width=10, sort_dicts=False), pformat([1, [2, [3, [4]]]], depth=2), pprint.pformat("word " * 30, width=40), pprint.isreadable(nested)); pprint.pp({"b": 1, "a": 2}); pprint.PrettyPrinter(indent=4, compact=True).pprint(list(range(30)))
a = {"x": [1]}; s, d = copy.copy(a), copy.deepcopy(a); a["x"].append(2); print(s, d)
class Node:
    def __init__(self, v): self.v, self.next, self._hidden = v, None, [v]
    def __copy__(self): n = Node(self.v); n.tag = "copied"; return n
    def __deepcopy__(self, memo): n = Node(copy.deepcopy(self.v, memo)); memo[id(self)] = n; n.next = copy.deepcopy(self.next, memo); return n
n = Node([1]); n.next = n; m = copy.deepcopy(n); print(m.next is m, m.v is n.v, copy.copy(n).tag)
class P:
    def __init__(self): self.a, self._b = [1], {"k": [2]}
p = P(); q = copy.deepcopy(p); p.a.append(9); p._b["k"].append(3); print(q.a, q._b, copy.copy(p)._b is p._b, copy.deepcopy((1, [2])), copy.copy({1}) == {1})
""",
    "locale": """
import locale
print(f"{1234567.891:,.2f}", locale.format_string("%.1f", 2.25) in ("2.2", "2.3"), locale.setlocale(locale.LC_ALL, "C"), locale.getlocale()[0])
""",
}
