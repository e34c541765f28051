"""Random variations of attacks that keep what they try: other names, other ways, other surroundings.

An attack prints PWNED when it has come through, so a variation that prints it has.
"""
# ruff: noqa: E501  (pieces of programs as they are written)

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Sequence
from random import Random as Chance

# Ways out of a cell; one may stand for another.
_WAYS = (
    (
        "__globals__",
        "__code__",
        "__closure__",
        "__builtins__",
        "__reduce_ex__",
        "__getattribute__",
        "__init_subclass__x__",
    ),
    (
        "gi_frame",
        "cr_frame",
        "ag_frame",
        "f_back",
        "f_globals",
        "f_builtins",
        "tb_frame",
        "gi_code",
        "cr_code",
        "tb_next",
    ),
    ("get_loop", "get_coro", "get_stack"),
)
_LOOKALIKES = str.maketrans("aeiosn", "ａｅｉｏｓｎ")  # full width: the parser reads them as the plain letters


def mutant(chance: Chance, attacks: Sequence[str]) -> str:
    """One attack, or two together, changed one to three times."""
    tree = _parsed(chance.choice(attacks))
    if chance.randrange(4) == 0:
        tree = _spliced(chance, tree, _parsed(chance.choice(attacks)))
    for _ in range(1 + chance.randrange(3)):
        tree = chance.choice(_CHANGES)(chance, tree)
    return ast.unparse(ast.fix_missing_locations(tree))


def can_be_changed(attack: str) -> bool:
    try:
        ast.parse(attack)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def _spliced(chance: Chance, first: ast.Module, second: ast.Module) -> ast.Module:
    """The statements of one attack in the middle of another."""
    at = chance.randrange(len(first.body) + 1)
    return ast.Module([*first.body[:at], *second.body, *first.body[at:]], [])


# ---- the same in other words


class _Rename(ast.NodeTransformer):
    """Every variable, function and class gets another name."""

    def __init__(self, tree: ast.AST, prefix: str) -> None:
        made = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        made |= {each.name for each in ast.walk(tree) if isinstance(each, (ast.FunctionDef, ast.ClassDef))}
        # What a class holds is looked up by its name, in patterns and by the library.
        for cls in (each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)):
            made -= {each.id for line in cls.body for each in ast.walk(line) if isinstance(each, ast.Name)}
            made -= {each.name for each in cls.body if isinstance(each, ast.FunctionDef)}
        self._names = {
            name: prefix + name for name in made if not name.startswith("__") and not hasattr(builtins, name)
        }

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._names.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._names.get(node.name, node.name)
        return self.generic_visit(node)


class _Attributes(ast.NodeTransformer):
    """Some attributes are read and written another way."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or self._chance.randrange(2):
            return node
        at = self._chance.randrange(len(node.attr) + 1)
        name = f"{node.attr[:at]!r} + {node.attr[at:]!r}"
        value = ast.unparse(node.value)
        ways = (
            f"getattr({value}, {name})",
            f"getattr({value}, ''.join([{name}]))",
            f"(lambda x, n: getattr(x, n))({value}, {name})",
            f"__import__('operator').attrgetter({name})({value})",
            f"attrgetter_({name})({value})",
            f"next(map(getattr, [{value}], [{name}]))",
            f"object.__getattribute__({value}, {name})",
            f"type({value}).__getattribute__({value}, {name})",
            f"({value}).{node.attr.translate(_LOOKALIKES)}",
            f"vars({value})[{name}]",
            f"[each for each in [{value}]][0].{node.attr}",
            f"(lambda: {value})().{node.attr}",
            f"functools_.partial(getattr, {value})({name})",
            f"functools_.reduce(getattr, [{name}], {value})",
            f"dict(inspect_.getmembers({value}))[{name}]",
            f"super(type({value}), {value}).{node.attr}",
            f"copy_.copy({value}).{node.attr}",
            f"weakref_.ref({value})().{node.attr}",
        )
        try:
            return ast.parse(self._chance.choice(ways), mode="eval").body
        except SyntaxError:  # a full width letter in a place where there may be none
            return node


class _Assignments(ast.NodeTransformer):
    """Some attributes are set by a call."""

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Attribute):
            return node
        call = f"setattr({ast.unparse(target.value)}, {target.attr!r}, {ast.unparse(node.value)})"
        return ast.parse(call).body[0]


class _Texts(ast.NodeTransformer):
    """Some texts are put together when they are needed."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        text = node.value
        if not isinstance(text, str) or not text or text == "PWNED" or self._chance.randrange(2):
            return node
        at = self._chance.randrange(len(text))
        ways = (
            f"{text[:at]!r} + {text[at:]!r}",
            f"{text[::-1]!r}[::-1]",
            f"''.join({list(text)!r})",
            f"bytes({list(text.encode('utf-8', 'surrogatepass'))!r}).decode()",
            f"'%s%s' % ({text[:at]!r}, {text[at:]!r})",
            f"str_({text!r})",
        )
        return ast.parse(self._chance.choice(ways), mode="eval").body


class _Calls(ast.NodeTransformer):
    """Some calls are made by a middleman."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if (
            node.keywords
            or not node.args
            or self._chance.randrange(3)
            or any(isinstance(a, ast.Starred) for a in node.args)
        ):
            return node
        function, arguments = ast.unparse(node.func), ", ".join(map(ast.unparse, node.args))
        if function in ("super", "print"):
            return node
        ways = (
            f"(lambda *a: {function}(*a))({arguments})",
            f"({function}).__call__({arguments})",
            f"functools_.partial({function})({arguments})",
            f"[{function}(*each) for each in [({arguments},)]][0]",
            f"next(itertools_.starmap({function}, [({arguments},)]))",
            f"operator_.call({function}, {arguments})",
        )
        return ast.parse(self._chance.choice(ways), mode="eval").body


class _Ways(ast.NodeTransformer):
    """One way out for another."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def _other(self, name: str) -> str:
        for ways in _WAYS:
            if name in ways:
                return self._chance.choice(ways)
        return name

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        node.attr = self._other(node.attr)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(self._other(node.value)) if isinstance(node.value, str) else node


class _Subclass(str):
    """In the source of mutants: a text that lies about itself."""


_HELP = """
import functools as functools_, operator as operator_, itertools as itertools_, inspect as inspect_, copy as copy_
import weakref as weakref_
attrgetter_ = operator_.attrgetter
class str_(str):
    def startswith(self, *a): return False
    def __hash__(self): return str.__hash__(self)
"""


def _helped(tree: ast.Module) -> ast.Module:
    return ast.Module([*ast.parse(_HELP).body, *tree.body], [])


# ---- the same somewhere else

_AROUND = (
    "def around():\n    BODY\naround()",
    "class Around:\n    BODY",
    "class Around:\n    def go(self):\n        BODY\nAround().go()",
    "async def around():\n    BODY\nawait around()",
    "def around():\n    yield 1\n    BODY\nlist(around())",
    "async def around():\n    BODY\n    yield 1\nasync for _ in around(): pass",
    "try:\n    BODY\nfinally:\n    pass",
    "try:\n    raise KeyError\nexcept KeyError as caught:\n    BODY",
    "try:\n    pass\nfinally:\n    BODY",
    "import contextlib\nwith contextlib.nullcontext():\n    BODY",
    "for _ in range(2):\n    BODY",
    "match 1:\n    case int():\n        BODY",
    "import contextlib\n@contextlib.contextmanager\ndef around():\n    BODY\n    yield\nwith around(): pass",
    "class Around:\n    @property\n    def go(self):\n        BODY\nAround().go",
    "class Around:\n    def __init_subclass__(cls):\n        BODY\nclass Below(Around): pass",
    "class Around:\n    def __set_name__(self, owner, name):\n        BODY\nclass Holder: x = Around()",
    "class Around:\n    def __getattr__(self, name):\n        BODY\nAround().anything",
    "class Around:\n    def __repr__(self):\n        BODY\n        return ''\nprint(Around())",
    "class Around:\n    def __lt__(self, other):\n        BODY\n        return True\nsorted([Around(), Around()])",
    "class Around(dict):\n    def __missing__(self, key):\n        BODY\nAround()[1]",
    "def around(f):\n    BODY\n    return f\n@around\ndef decorated(): pass",
    "import asyncio\nasync def around():\n    BODY\nawait asyncio.gather(around())",
    "import functools\n@functools.cache\ndef around():\n    BODY\naround()",
    "import copy\nclass Around:\n    def __deepcopy__(self, memo):\n        BODY\ncopy.deepcopy(Around())",
    "from concurrent.futures import ThreadPoolExecutor\ndef around():\n    BODY\nThreadPoolExecutor().submit(around).result()",
)  # fmt: skip


def _surrounded(chance: Chance, tree: ast.Module) -> ast.Module:
    around = ast.parse(chance.choice(_AROUND))
    for holder in ast.walk(around):
        for field in ("body", "finalbody", "handlers", "orelse"):
            body = getattr(holder, field, None)
            if isinstance(body, list):
                for at, each in enumerate(body):
                    if isinstance(each, ast.Expr) and isinstance(each.value, ast.Name) and each.value.id == "BODY":
                        body[at : at + 1] = tree.body
                        return around
    return tree


_CHANGES: tuple[Callable[[Chance, ast.Module], ast.Module], ...] = (
    lambda chance, tree: _Rename(tree, chance.choice(("q", "_x", "y_")))  .visit(tree),
    lambda chance, tree: _helped(_Attributes(chance).visit(tree)),
    lambda chance, tree: _helped(_Attributes(chance).visit(tree)),
    lambda chance, tree: _Assignments().visit(tree),
    lambda chance, tree: _helped(_Texts(chance).visit(tree)),
    lambda chance, tree: _helped(_Calls(chance).visit(tree)),
    lambda chance, tree: _Ways(chance).visit(tree),
    _surrounded,
    _surrounded,
)  # fmt: skip
