"""What to write instead: for everything that is refused, the nearest thing that works here."""

from __future__ import annotations

from typing import Final

_NO_NETWORK = "there is no network here; the corpus is in /documents, and `await search(query)` searches it"
_NO_PROCESS = "no other programs run here; write it in Python"
_NO_THREADS = (
    "threads and processes are not available; use `await asyncio.gather(...)` for host calls, a plain loop for the rest"
)
_TABLES = (
    "use csv for text, and the `table` field of items.jsonl ({columns, rows}) for tables of documents; "
    "Counter and defaultdict group"
)
_NUMBERS = "use lists with math and statistics"
_NO_PLOTS = "nothing can be drawn here; print the numbers"
_NO_INSPECT = "code cannot look at itself here; help(x) shows a signature, dir(x) the public names"
_TEXT_ONLY = "documents are already text: read /documents/{id}/content.txt or items.jsonl"
_READ_ONLY = (
    "/documents is read-only and there is no other disk; keep results in variables, io.StringIO holds text like a file"
)

# Modules that models reach for -> what does it here.
MODULES: Final[dict[str, str]] = {
    "pandas": _TABLES,
    "polars": _TABLES,
    "duckdb": _TABLES,
    "sqlite3": _TABLES,
    "openpyxl": _TABLES,
    "numpy": _NUMBERS,
    "scipy": _NUMBERS,
    "sklearn": f"{_NUMBERS}; `await search(query)` finds by meaning",
    "nltk": "use re.findall and str methods; `await search(query)` finds by meaning",
    "spacy": "use re.findall and str methods; `await search(query)` finds by meaning",
    "matplotlib": _NO_PLOTS,
    "seaborn": _NO_PLOTS,
    "plotly": _NO_PLOTS,
    "nest_asyncio": "asyncio.run(main()) works everywhere here, inside running loops too",
    "requests": _NO_NETWORK,
    "httpx": _NO_NETWORK,
    "aiohttp": _NO_NETWORK,
    "urllib3": _NO_NETWORK,
    "urllib.request": _NO_NETWORK,
    "http": _NO_NETWORK,
    "http.client": _NO_NETWORK,
    "socket": _NO_NETWORK,
    "ssl": _NO_NETWORK,
    "smtplib": _NO_NETWORK,
    "ftplib": _NO_NETWORK,
    "openai": "no model can be called from here; answer from what you print",
    "anthropic": "no model can be called from here; answer from what you print",
    "subprocess": _NO_PROCESS,
    "pty": _NO_PROCESS,
    "signal": _NO_PROCESS,
    "ctypes": _NO_PROCESS,
    "threading": _NO_THREADS,
    "multiprocessing": _NO_THREADS,
    "dis": _NO_INSPECT,
    "gc": _NO_INSPECT,
    "importlib": "write an import statement",
    "builtins": "built-in functions need no import",
    "pickle": "variables persist between cells; json.dumps gives text",
    "marshal": "variables persist between cells; json.dumps gives text",
    "shelve": "variables persist between cells",
    "tempfile": _READ_ONLY,
    "shutil": _READ_ONLY,
    "zipfile": _TEXT_ONLY,
    "tarfile": _TEXT_ONLY,
    "PyPDF2": _TEXT_ONLY,
    "pypdf": _TEXT_ONLY,
    "pdfplumber": _TEXT_ONLY,
    "fitz": _TEXT_ONLY,
    "docx": _TEXT_ONLY,
    "docling": _TEXT_ONLY,
    "bs4": "use html.parser.HTMLParser or re; html.unescape decodes entities",
    "lxml": "use xml.etree.ElementTree, or html.parser.HTMLParser for markup",
    "xml": "use xml.etree.ElementTree",
    "yaml": "use json, or split lines at ':'",
    "toml": "tomllib.loads reads TOML text",
    "argparse": "there is no command line; assign variables",
    "getpass": "nobody can be asked from a cell",
    "dateutil": "use datetime.strptime with a list of formats, or re",
    "dateutil.parser": "use datetime.strptime with a list of formats, or re",
    "pytz": "use datetime.timezone(datetime.timedelta(hours=…))",
    "tabulate": 'align columns with f"{name:<20}{value:>10}"',
    "tqdm": "loop without a progress bar; nothing is shown before the cell ends",
    "rich": "use print and pprint",
    "pydantic": "use dataclasses",
    "attr": "use dataclasses",
    "rapidfuzz": "use difflib.SequenceMatcher and difflib.get_close_matches",
    "fuzzywuzzy": "use difflib.SequenceMatcher and difflib.get_close_matches",
    "Levenshtein": "use difflib.SequenceMatcher",
    "networkx": "use dicts of sets, collections.deque, heapq and graphlib",
    "tiktoken": "estimate with len(text) / 4",
    "cProfile": "use time.perf_counter around the code",
    "unittest": "use assert",
    "pytest": "use assert",
    "atexit": "put the call at the end of the cell",
    "regex": "use re",
    "xmltodict": "use xml.etree.ElementTree",
    "mmap": "read the file whole; it is fast",
    "IPython": "the value of a last expression is shown without help",
}

_UNPACK: Final = "documents are already text; {}.decompress(data) unpacks bytes that you have"
_MESSAGE: Final = (
    "documents are already text: sender, date and subject of mails are in metadata.json, the text in content.txt"
)

# "module.name" and "type.name" that are missed -> what does it; "*.name" is for every type.
ATTRIBUTES: Final[dict[str, str]] = {
    "*.length": "use len(x)",
    "*.size": "use len(x)",
    "*.has_key": "use `key in x`",
    "*.iteritems": "use .items()",
    "*.contains": "use `item in x`",
    "*.push": "use .append(item)",
    "*.to_dict": "use dataclasses.asdict(x) or vars(x)",
    "list.add": "use .append(item)",
    "list.split": "split each of its items",
    "list.strip": "strip each of its items",
    "list.lower": "lower each of its items",
    "list.items": "it is a list: loop over it, or use enumerate(x)",
    "list.keys": "it is a list of records: use x[0].keys()",
    "list.get": "it is a list: take an item first, x[0].get(key)",
    "set.append": "use .add(item)",
    "dict.append": "use x[key] = value, or a defaultdict(list)",
    "dict.add": "use x[key] = value",
    "str.read": "it is text: json.loads(x) reads JSON text, open(x) gives the file of that path",
    "PosixPath.read": "use .read_text(), or open(path) where a file object is needed",
    "str.decode": "it is text already",
    "str.get": "it is text: json.loads(x) gives the dict",
    "str.items": "it is text: json.loads(x) gives the dict",
    "bytes.encode": "it is bytes already; .decode() gives text",
    "NoneType.group": "the pattern did not match: test `if m:` first",
    "NoneType.groups": "the pattern did not match: test `if m:` first",
    "random.SystemRandom": "use secrets",
    "asyncio.create_subprocess_exec": _NO_PROCESS,
    "asyncio.create_subprocess_shell": _NO_PROCESS,
    "asyncio.open_connection": _NO_NETWORK,
    "ast.parse": "code cannot be looked at here; ast.literal_eval reads literals",
    "types.CodeType": "code cannot be made at run time here",
    "sys.modules": "write an import statement",
    "sys.path": "only the listed modules can be imported",
    "sys.stdin": "nobody can be asked from a cell",
    "os.environ": "there is no environment here",
    "os.getenv": "there is no environment here",
    "os.system": _NO_PROCESS,
    "os.popen": _NO_PROCESS,
    "gzip.open": _UNPACK.format("gzip"),
    "gzip.GzipFile": _UNPACK.format("gzip"),
    "bz2.open": _UNPACK.format("bz2"),
    "bz2.BZ2File": _UNPACK.format("bz2"),
    "lzma.open": _UNPACK.format("lzma"),
    "lzma.LZMAFile": _UNPACK.format("lzma"),
    "email.message_from_file": _MESSAGE,
    "email.message_from_string": _MESSAGE,
    "email.message_from_bytes": _MESSAGE,
    "time.clock": "use time.perf_counter",
    "uuid.uuid1": "use uuid.uuid4",
    "uuid.getnode": "use uuid.uuid4",
}

# Built-in names that are not handed out -> what to do.
BUILTINS: Final[dict[str, str]] = {
    "exec": "code cannot be made at run time here; write it in the cell",
    "eval": "use ast.literal_eval for literals, json.loads for JSON, float(x) for numbers",
    "compile": "code cannot be made at run time here; re.compile compiles patterns",
    "input": "nobody can be asked from a cell; assign the value",
    "breakpoint": "print what you want to see",
    "open": "this session has no files",
    "credits": "",
    "license": "",
    "copyright": "",
    "get_ipython": "this is not IPython; % and ! commands do not exist",
    "display": "print it, or make it the last expression",
}

# Syntax by node kind, and special names -> (what is refused, what to write).
SYNTAX: Final[dict[str, tuple[str, str]]] = {
    "TryStar": ("except* is not available here", "catch the ExceptionGroup with `except`, its .exceptions are a tuple"),
    "__import__": ("", "write an import statement"),
    "__builtins__": ("", "built-in functions need no prefix"),
    "__file__": ("", "a cell has no file; the corpus is in /documents"),
    "__globals__": ("", "globals() has the variables of the session"),
    "__code__": ("", "help(x) shows a signature"),
    "__del__": ("", "use a context manager (__enter__, __exit__)"),
    "__getattribute__": ("", "define __getattr__, it is asked for missing attributes"),
    "__match_args__": ("", "@dataclass and NamedTuple set it themselves"),
    "__reduce__": ("", "define __copy__ or __deepcopy__"),
    "__getstate__": ("", "define __copy__ or __deepcopy__"),
    "__setstate__": ("", "define __copy__ or __deepcopy__"),
}
