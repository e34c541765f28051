"""Library classes in a worker are immutable: no write of a cell needs a guard, no deputy can do it instead."""

from __future__ import annotations

import pytest

from glossator.sandbox import Sandbox, Session, seal

pytestmark = pytest.mark.anyio

WRITES = {
    "assignment": "Counter.update = None",
    "augmented": "Counter.fresh = 1",
    "annotated": "Counter.update: int = 1",
    "deletion": "del Counter.update",
    "setattr": "setattr(Counter, 'update', None)",
    "delattr": "delattr(Counter, 'update')",
    "unpacking": "Counter.update, x = 1, 2",
    "loop target": "for Counter.update in [1]: pass",
    "with target": "import io\nwith io.StringIO() as Counter.update: pass",
    "comprehension target": "[0 for Counter.update in [1]]",
    "name": "Counter.__name__ = 'Other'",
    "doc": "Path.__doc__ = 'other'",
    "alias": "import collections\ncollections.Counter[int].update = None",
    "typing alias": "import typing\ntyping.List[int].append = None",
    "base of an own class": "class C(Counter): pass\nsuper(C, C()).update = None",
    "class of an instance": "type(Path('/')).exists = None",
    "class of an exception": "try: 1 / 0\nexcept Exception as e: type(e).add_note = None",
    "abstract class": "from collections.abc import Sized\nSized.fresh = 1",
    "enum": "import re\nre.RegexFlag.fresh = 1",
    "decorator: dataclass": "import dataclasses, string\ndataclasses.dataclass(string.Template)",
    "decorator: wraps": "import functools\nfunctools.wraps(len)(Counter)",
    "guest class": "from pathlib import PurePath\nPurePath.name = 1",
    "class of a function": "type(open).fresh = 1",
}


@pytest.mark.parametrize("code", WRITES.values(), ids=WRITES.keys())
async def test_no_way_of_writing_changes_a_library_class(code: str) -> None:
    before = "from pathlib import Path\nimport collections, typing\n"
    async with Sandbox(guest_modules=["glossator.vfs.guest"]) as sandbox:
        session = await sandbox.session()
        state = "sorted(dir(Counter)), Counter.update, Counter.__name__, Path.__doc__, sorted(dir(Path)), Path.exists"
        first = await session.run(before + state)
        result = await session.run(code)
        assert result.error is not None and result.error.type in ("TypeError", "AttributeError", "SyntaxError")
        assert (await session.run(state)).value == first.value


OWN = """
class Base:
    kept = 1
class C(Base):
    count: int = 0
    def up(self): self.count += 1
C.more, Base.kept = 2, 3
C().up()
c = C()
c.up()
c.x: int = 4
del C.more
C.__name__ = "Named"
from enum import Enum
class Colour(Enum):
    RED = 1
from collections import Counter, namedtuple
class Own(Counter): pass
Own.extra = 5
P = namedtuple("P", "x")
P.y = 6
import abc, typing, functools, dataclasses, copy
class A(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
class Shape(typing.Protocol):
    def area(self) -> float: ...
@dataclasses.dataclass
class Row:
    n: int
    @functools.cached_property
    def twice(self): return 2 * self.n
print(c.count, Base.kept, c.x, C.__name__, Own.extra, P.y, Row(2).twice, copy.deepcopy(Row(3)), hasattr(C, "more"))
"""


async def test_own_classes_stay_changeable() -> None:
    async with Sandbox() as sandbox:
        result = await (await sandbox.session()).run(OWN)
        assert (result.error, result.stdout) == (None, "1 3 4 Named 5 6 4 Row(n=3) False\n")


async def test_the_refusal_names_the_way() -> None:
    async with Sandbox() as sandbox:
        error = (await (await sandbox.session()).run("Counter.update = None")).error
        assert error is not None and "write a subclass" in error.hint


async def test_every_class_of_a_worker_is_sealed() -> None:
    left = """
def below(cls):
    for each in type.__subclasses__(cls):
        yield each
        yield from below(each)
print({f"{c.__module__}.{c.__qualname__}" for c in below(object) if not c.__flags__ & 256})
"""
    async with Sandbox._without_policy() as sandbox:
        session: Session = await sandbox.session()
        assert (await session.run(left)).stdout == "set()\n"


def test_this_process_is_not_sealed() -> None:
    assert not seal.sealed()
