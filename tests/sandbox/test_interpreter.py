"""Cells of one session: values, variables, errors, limits, tasks."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .cells import error, interpreter, output, run


def test_value_of_a_last_expression_is_shown() -> None:
    assert run("x = 2\nx * 21")["value"] == "42"
    assert run("x = 2")["value"] is None
    assert run("None")["value"] is None
    assert run("'a'")["value"] == "'a'"


def test_variables_persist_also_after_an_error() -> None:
    assert output("x = 1\ny = 1 / 0", "print(x)") == "1\n"


def test_new_and_changed_variables_are_told() -> None:
    with interpreter() as session:
        assert session.run("caps = {i: i for i in range(212)}\nn = 1")["new_names"] == {"caps": "dict(212)", "n": "int"}
        assert session.run("caps[212] = 0\n_hidden = 1\nimport json")["new_names"] == {"caps": "dict(213)"}
        assert session.run("print(n)")["new_names"] == {}
        assert session.run("def f(): pass\nclass C: pass\nc = C()")["new_names"] == {
            "f": "function",
            "C": "class",
            "c": "C",
        }


def test_telling_variables_runs_no_code_of_the_cell() -> None:
    hostile = (
        "class H(list):\n    def __len__(self): raise SystemExit\n    __repr__ = __hash__ = __bool__ = __len__\nh = H()"
    )
    assert run(hostile)["new_names"] == {"H": "class", "h": "H"}


@pytest.mark.parametrize("name", ["json", "re", "math", "asyncio", "Counter", "defaultdict", "datetime"])
def test_preloaded_names(name: str) -> None:
    assert run(name).get("error") is None


# ---- errors


def test_error_has_the_lines_of_the_cell_only() -> None:
    failed = error("def half(n):\n    return n / 0", "x = 1\nhalf(x)")
    assert (failed["type"], failed["message"], failed["line"]) == ("ZeroDivisionError", "division by zero", 2)
    assert failed["traceback"] == (
        "Traceback (most recent call last):\n"
        "  cell 2, line 2\n      half(x)\n"
        "  cell 1, line 2 in half\n      return n / 0\n"
        "ZeroDivisionError: division by zero\n"
    )


def test_error_says_which_lines_ran() -> None:
    assert run("a = 1\nb = 2\nfor i in [1]:\n    i / 0")["kept_lines"] == "1-2"
    assert run("a = 1\na / 0")["kept_lines"] == "1"
    assert run("1 / 0")["kept_lines"] == ""


def test_chained_errors_are_told_in_order() -> None:
    shown = error("try: {}['a']\nexcept KeyError as e: raise ValueError('bad') from e")["traceback"]
    assert shown.index("KeyError: 'a'") < shown.index("direct cause") < shown.index("ValueError: bad")


def test_errors_of_a_group_are_told() -> None:
    cell = "async def f(): raise ValueError('inner')\nasync with asyncio.TaskGroup() as g: g.create_task(f())"
    assert "ValueError: inner" in error(cell)["message"]


@pytest.mark.parametrize(
    ("cell", "hint"),
    [
        ("values = [1]\nvalue", "Did you mean values (list(1))?"),
        ("statistics.mean([1])", "write `import statistics` first"),
        ("eval('1')", "use ast.literal_eval for literals, json.loads for JSON, float(x) for numbers"),
        ("[].length", "use len(x)"),
        ("[].appendd(1)", "Did you mean .append?"),
        ("re.search('a', 'b').group()", "the pattern did not match: test `if m:` first"),
        ("json.dumpss({})", "Did you mean .dumps?"),
        ("hits = [{'content': 1}]\nhits[0]['contnt']", "Did you mean 'content'?"),
        ("hits = {'content': 1}\nhits['language']", ""),
        ("hits = {'content': 1}\nhits.content", "it is a dict: write ['content']"),
        ("json.loads('{}\\n{}')", "there is one JSON value per line: [json.loads(line) for line in text.splitlines()]"),
        ("json.load('x')", "it is text: json.loads(x) reads JSON text, open(x) gives the file of that path"),
        ("await [].copy()", "the call is no coroutine: leave out `await`"),
        ("for hit in search('x'): pass", "it was not awaited: write `await` before the call"),
        ("search('x').score", "it was not awaited: write `await` before the call"),
        ("def f(): f()\nf()", "a function calls itself without an end, or data is nested too deeply; use a loop with a list as stack"),
        ("!pip install pandas", "% and ! commands do not exist here; write Python"),
        ("import sys\nsys.modules", "write an import statement"),
    ],
)  # fmt: skip
def test_the_nearest_fix_is_told(cell: str, hint: str) -> None:
    assert error(cell)["hint"] == hint


def test_syntax_errors_have_their_line() -> None:
    failed = error("x = 1\nif x print(x)")
    assert (failed["type"], failed["line"]) == ("SyntaxError", 2)
    assert failed["traceback"] == "  cell 1, line 2\n      if x print(x)\nSyntaxError: invalid syntax\n"


def test_deep_nesting_is_an_error() -> None:
    assert error("x = " + "(" * 300 + "1" + ")" * 300)["type"] == "SyntaxError"
    assert error("x = " + "-" * 5000 + "1")["type"] in {"RecursionError", "MemoryError"}
    assert error("x" + ".b" * 5000)["type"] in {"RecursionError", "MemoryError"}


@pytest.mark.parametrize("text", ["raise SystemExit(1)", "raise KeyboardInterrupt", "return 5", "1 / 0"])
def test_hostile_reprs_and_messages_are_errors_of_the_cell(text: str) -> None:
    assert run(f"class R:\n    def __repr__(self): {text}\nR()").get("error") is not None
    failed = error(f"class E(Exception):\n    def __str__(self): {text}\nraise E()")
    assert failed["type"] == "E"


def test_a_long_message_is_cut() -> None:
    assert len(error("raise ValueError('A' * 10_000_000)")["message"]) < 3_000


def test_exit_ends_the_cell_only() -> None:
    for cell in ("exit()", "import sys\nsys.exit(0)", "raise SystemExit"):
        assert output(f"print(1)\n{cell}\nprint(2)") == "1\n"
    assert error("import sys\nsys.exit('no data')")["message"] == "no data"
    assert output("quit()", "print('on')") == "on\n"


def test_memory_errors_have_the_limit() -> None:
    assert error("bytearray(1 << 62)", memory_mb=256)["message"] == "more than 256 MiB of memory were needed"


# ---- output


def test_stderr_is_kept_apart() -> None:
    result = run("import sys, warnings\nprint('a')\nprint('b', file=sys.stderr)\nwarnings.warn('c')")
    assert result["stdout"] == "a\n"
    assert result["stderr"] == "b\nUserWarning: c (cell 1, line 4)\n"


def test_long_output_is_cut_and_kept_in_out() -> None:
    with interpreter(output_chars=10) as session:
        result = session.run("print('x' * 25)")
        assert result["truncated"]
        assert result["stdout"] == (
            "xxxxxxxxxx\n... (output truncated)\n10 of 26 characters are shown; the next: print(_out[1][10:20])\n"
        )
        assert session.run("len(_out[1])")["value"] == "26"


def test_long_values_are_cut() -> None:
    result = run("'x' * 100", output_chars=10)
    assert result["truncated"]
    assert result["value"].startswith("'xxxxxxxxx\n... (output truncated)")


def test_printing_without_an_end_is_an_error() -> None:
    failed = error("while True: print('A' * 1000)", kept_output_chars=50_000)
    assert (failed["type"], failed["message"]) == ("OutputLimit", "a cell may print 50,000 characters")


def test_sys_stdout_can_be_replaced_for_a_cell() -> None:
    cell = "import sys, io\nold = sys.stdout\nsys.stdout = buffer = io.StringIO()\nprint('in')\nsys.stdout = old\nprint(buffer.getvalue())"
    assert output(cell) == "in\n\n"
    assert output("import sys, io\nsys.stdout = io.StringIO()", "print('back')") == "back\n"


# ---- the time limit


@pytest.mark.parametrize(
    "cell",
    [
        "while True: pass",
        "while True:\n    try:\n        while True: pass\n    except: pass",
        "while True:\n    try:\n        while True: pass\n    except BaseException as e: e",
        "def f():\n    while True:\n        try:\n            while True: pass\n        finally: continue\nf()",
        "from contextlib import suppress\nwhile True:\n    with suppress(BaseException):\n        while True: pass",
        "class S:\n    def __enter__(self): pass\n    __exit__ = lambda *a: True\nwhile True:\n    with S():\n        while True: pass",
        "async def f():\n    while True: pass\nwhile True: await asyncio.gather(f(), f(), return_exceptions=True)",
        "async def f():\n    while True:\n        try: await asyncio.sleep(9)\n        except BaseException: pass\nasyncio.run(f())",
        "async def f():\n    while True:\n        try: await asyncio.sleep(9)\n        except asyncio.CancelledError: pass\n"
        "t = asyncio.create_task(f())\nawait asyncio.sleep(0)",
        "import time\ntime.sleep(1000)",
        "await asyncio.sleep(1000)",
        "class R:\n    def __repr__(self):\n        while True: pass\nR()",
        "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E()",
        "sorted([1, 2], key=lambda x: [None for _ in iter(int, 1)])",
        "def g():\n    try: yield\n    finally:\n        while True: pass\nx = g()\nnext(x)\ndel x",
        "def g():\n    try: yield\n    finally:\n        while True: pass\nwhile True:\n    x = g()\n    next(x)\n    del x",
        "class H:\n    def __hash__(self):\n        while True:\n            try:\n                while True: pass\n"
        "            except BaseException: pass\n{H(): 1}",
        "from contextlib import ExitStack\nwhile True:\n    with ExitStack() as s:\n        s.push(lambda *a: True)\n"
        "        while True: pass",
        "class A:\n    async def __aenter__(self): pass\n    async def __aexit__(self, *a): return True\n"
        "while True:\n    async with A():\n        while True: pass",
        "class C:\n    @property\n    def x(self):\n        try:\n            while True: pass\n"
        "        except BaseException: raise AttributeError\nwhile True: hasattr(C(), 'x')",
        "class N(SyntaxError):\n    @property\n    def lineno(self):\n        while True: pass\nraise N()",
        "class X(SystemExit):\n    @property\n    def code(self):\n        while True: pass\nraise X()",
        "import io\nclass F(io.StringIO):\n    def close(self):\n        while True: pass\nF()\n1",
    ],
)  # fmt: skip
def test_nothing_swallows_the_time_limit(cell: str) -> None:
    with interpreter(wall_s=0.1) as session:
        result = session.run(cell)
        assert result["timed_out"]
        assert (result["error"]["type"], result["error"]["message"]) == (
            "TimeLimit",
            "the cell ran for more than 0.1 s and was stopped",
        )
        assert session.run("async def g(): return 1\nprint(await g())")["stdout"] == "1\n"


def test_a_limit_in_a_finalizer_tells_nothing_of_the_machine() -> None:
    result = run("def g():\n    try: yield\n    finally:\n        while True: pass\nwhile True: next(g())", wall_s=0.3)
    assert (result["timed_out"], result["stderr"]) == (True, "")


def test_names_that_nobody_could_read_are_not_told() -> None:
    result = run(f"{'n' * 201} = short = 1")
    assert result["new_names"] == {"short": "int"}


def test_too_many_signs_are_no_lack_of_memory() -> None:
    assert error("x = " + "-" * 200_000 + "1")["message"].startswith("this code is nested too deeply")


def test_time_limit_has_the_line_and_what_survived() -> None:
    result = run("rows = [1, 2]\nwhile True: rows", wall_s=0.1)
    assert (result["error"]["line"], result["kept_lines"], result["new_names"]) == (2, "1", {"rows": "list(2)"})


# ---- asyncio


def test_top_level_await() -> None:
    assert run("hits = await search('cap', limit=1)\nhits[0]['content']")["value"] == "'cap'"
    assert output("r = [await search(q) for q in 'ab']\nprint(len(r))") == "2\n"


def test_asyncio_run_in_both_kinds_of_cells() -> None:
    define = "async def main(): return (await search('q'))[0]['content']"
    assert output(define, "print(asyncio.run(main()))\nprint(asyncio.run(main()))") == "q\nq\n"
    assert output(define, "print(asyncio.run(main()), await main())\nprint(asyncio.run(main()))") == "q q\nq\n"
    assert output(define, "print(asyncio.get_event_loop().run_until_complete(main()))") == "q\n"


def test_tasks_live_until_the_end_of_the_cell_and_no_longer() -> None:
    with interpreter() as session:
        cell = "async def forever():\n    while True: await asyncio.sleep(0)\nt = asyncio.create_task(forever())\nawait asyncio.sleep(0)\nt.done()"
        assert session.run(cell)["value"] == "False"
        assert session.run("t.cancelled()")["value"] == "True"


def test_tasks_that_were_left_are_told() -> None:
    start = "async def work(): await asyncio.sleep(9)\nasync def main():\n    "
    told = "work(...) was still running when the cell ended, and was cancelled"
    left = run(start + "asyncio.create_task(work())\nawait main()\nprint('done')")
    assert (left["stdout"], left["stderr"].startswith(told + ":")) == ("done\n", True)
    many = run(start + "for _ in range(3): asyncio.create_task(work())\nasyncio.run(main())")
    assert many["stderr"].startswith(told + " (3 times):") and many["stderr"].count("\n") == 1
    for fine in ("await asyncio.wait_for(asyncio.sleep(0), 1)", "t = asyncio.create_task(work()); t.cancel()"):
        assert run(start + fine + "\nawait main()")["stderr"] == ""


def test_locks_and_queues_work_in_later_cells() -> None:
    first = "queue = asyncio.Queue()\nlock = asyncio.Lock()\nasync with lock: await queue.put(1)"
    assert output(first, "async with lock: print(await queue.get())") == "1\n"


@pytest.mark.parametrize(
    ("cell", "note"),
    [
        ("hits = search('x')", "write `hits = await search(...)`"),
        ("search('x')", "write `await search(...)`"),
        ("print(search('x'))", "write `await search(...)`"),
        ("search('x')\nprint('done')", "write `await search(...)`"),
    ],
)
def test_a_forgotten_await_is_noticed(cell: str, note: str) -> None:
    result = run(cell)
    assert f"search(...) was not awaited: {note}" in result["stdout"]


def test_a_coroutine_may_be_awaited_in_the_next_cell() -> None:
    assert output("pending = search('x')", "print(len(await pending))") == "1\n"


def test_wrong_arguments_are_an_error_of_the_cell() -> None:
    assert error("await search()")["type"] == "TypeError"


# ---- asking the interpreter


def test_scopes() -> None:
    assert output("x = 1\nprint('x' in globals(), globals()['x'], 'x' in dir(), 'x' in vars())") == "True 1 True True\n"
    assert output("globals()['x'] = 1\nglobals().update(y=2)\nprint(x + y)") == "3\n"
    for name in ("$private", "__builtins__", "__name__", "a b"):
        assert error(f"globals()[{name!r}] = 1")["type"] == "AttributeError"
        assert error(f"class C: locals()[{name!r}] = 1")["type"] == "AttributeError"
    assert output("def f(a):\n    b = 2\n    return dict(locals())\nprint(f(1))") == "{'a': 1, 'b': 2}\n"


def test_help_prints_signature_and_doc() -> None:
    assert (
        output("help(search)") == "search(query: 'str', limit: 'int' = 10) -> 'list[dict[str, Any]]'\nFinds passages.\n"
    )
    assert output("def f(a, b=1):\n    '''Adds.'''\nhelp(f)") == "f(a, b=1)\nAdds.\n"
