"""The language policy: what a cell may say, and the guards that are compiled into it.

Deny by default: a syntax node without a method here, or one of RestrictedPython's that is known to be harmless, is
refused. Constant public attribute reads stay plain bytecode; items and iteration are unguarded, since all values live
in a jailed process; attributes are written on anything but the classes of libraries, which are sealed (`seal`). Guards
bear names that are no identifiers, so that no cell can touch them.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from RestrictedPython.transformer import RestrictingNodeTransformer, copy_locations

from . import names
from .formats import harmless
from .substitutes import SYNTAX


class PolicyError(SyntaxError):
    """A cell says something that is not available; `line` counts from 1, `hint` names the way to do it."""

    def __init__(self, message: str, line: int | None, hint: str = "") -> None:
        super().__init__(message)
        self.msg = message
        self.lineno = line
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Refusal:
    line: int | None
    message: str
    hint: str = ""


class CellPolicy(RestrictingNodeTransformer):
    """Checks a cell's syntax tree and compiles guards into it; what it refuses is in `refusals`, in order."""

    def __init__(self, *, guard_writes: bool) -> None:
        super().__init__()
        self._guard_writes = guard_writes  # False where library classes are sealed
        self.refusals: list[Refusal] = []
        self._classes: list[str] = []  # names of the classes around the node, for name mangling
        self._postponed = False  # from __future__ import annotations: they are never evaluated

    def error(self, node: ast.AST, info: str, hint: str = "") -> None:
        self.refusals.append(Refusal(getattr(node, "lineno", None), info, hint))

    def not_allowed(self, node: ast.AST) -> None:
        kind = type(node).__name__
        message, hint = SYNTAX.get(kind, (f"this syntax ({kind}) is not available here", ""))
        self.error(node, message, hint)

    def _contents(self, node: Any) -> Any:
        return self.node_contents_visit(node)

    # Constructs that are open; what they contain is still visited.
    visit_Await = visit_AsyncFor = visit_AsyncWith = _contents
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_comprehension = _contents
    visit_For = visit_Assign = visit_Subscript = visit_Call = _contents
    visit_Module = visit_Expression = visit_Lambda = visit_arguments = _contents
    visit_Match = visit_match_case = visit_MatchSingleton = visit_MatchSequence = visit_MatchOr = visit_MatchValue = (
        _contents
    )

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return node

    # Names
    def check_name(self, node: Any, name: str | None, allow_magic_methods: bool = False) -> None:
        if name is None:
            return
        if name in names.FORBIDDEN:
            self.error(node, f'the name "{name}" is not available here')
        elif names.is_dunder(name):
            allowed = names.DEFINABLE if allow_magic_methods else names.ASSIGNABLE
            if name not in allowed:
                self.error(node, f'the name "{name}" is not available here', SYNTAX.get(name, ("", ""))[1])

    def visit_Name(self, node: ast.Name) -> Any:
        self.check_name(node, node.id)
        return node

    def visit_Global(self, node: Any) -> Any:
        for name in node.names:
            self.check_name(node, name)
        return node

    visit_Nonlocal = visit_Global

    def visit_arg(self, node: ast.arg) -> Any:
        self.check_name(node, node.arg)
        return self._with_annotations(node, "annotation")

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return self._with_annotations(node, "annotation")

    def _with_annotations(self, node: Any, field: str) -> Any:
        """Postponed annotations become text, and must say what was written: no guard may stand in it."""
        if not self._postponed:
            return self.node_contents_visit(node)
        written = getattr(node, field)
        setattr(node, field, None)
        node = self.node_contents_visit(node)
        setattr(node, field, written)
        return node

    def visit_alias(self, node: ast.alias) -> Any:
        return node

    def check_import_names(self, node: Any) -> Any:
        if getattr(node, "module", None) == "__future__":
            self._postponed |= any(alias.name == "annotations" for alias in node.names)
        for alias in node.names:
            if alias.name == "*":
                self.error(node, "star imports are not available here", "import the names that you need")
            elif alias.name.startswith("_") and alias.name != "__future__":
                self.error(node, f'"{alias.name}" cannot be imported here')
            self.check_name(node, alias.asname)
        if getattr(node, "level", 0):
            self.error(node, "relative imports are not available here")
        if getattr(node, "is_lazy", 0):
            self.error(node, "lazy imports are not available here")
        return node

    # Attributes
    def visit_Attribute(self, node: ast.Attribute) -> Any:
        node = self.node_contents_visit(node)
        name, load = self._mangled(node.attr), isinstance(node.ctx, ast.Load)
        if name in names.FORBIDDEN:
            self.error(node, f'the attribute "{name}" is not available here')
        elif names.is_dunder(name):
            return self._special_name(node, load)
        elif names.is_private(name):
            node.value = self._guarded(node.value, names.PRIVATE_GUARD, ast.Constant(name))
        elif not load:
            self._guard_write(node)
        elif name in names.SPECIAL and not _harmless_template(node):
            return _call(names.SPECIAL_GUARD, node, node.value, ast.Constant(name))
        return node

    def _special_name(self, node: ast.Attribute, load: bool) -> ast.AST:
        name = node.attr
        if load and name in names.GUARDED:
            return _call(names.SPECIAL_GUARD, node, node.value, ast.Constant(name))
        if name not in (names.READABLE if load else names.STORABLE):
            self.error(node, f'the attribute "{name}" is not available here', SYNTAX.get(name, ("", ""))[1])
        if not load:
            self._guard_write(node)
        return node

    def _guard_write(self, node: ast.Attribute) -> None:
        if self._guard_writes:
            node.value = self._guarded(node.value, names.WRITE_GUARD)

    def _guarded(self, value: ast.expr, guard: str, *more: ast.expr) -> ast.expr:
        guarded = _call(guard, value, value, *more)
        if not isinstance(value, ast.Name):
            return guarded
        # (self if $t(self) in $own else $private(self, "_x"))._x: no Python-level call on the hot path.
        return _located(
            ast.IfExp(
                test=ast.Compare(
                    left=ast.Call(func=_name(names.EXACT_TYPE), args=[_name(value.id)], keywords=[]),
                    ops=[ast.In()],
                    comparators=[_name(names.OWN_TYPES)],
                ),
                body=_name(value.id),
                orelse=guarded,
            ),
            value,
        )

    def _mangled(self, name: str) -> str:
        """The attribute that the compiler will really use: `__x` in class C is `_C__x`."""
        if not self._classes or not name.startswith("__") or name.endswith("__"):
            return name
        owner = self._classes[-1].lstrip("_")
        return f"_{owner}{name}" if owner else name

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        # `s.format += x` reads the attribute unguarded and hands it to x.__radd__.
        if isinstance(node.target, ast.Attribute) and node.target.attr in names.SPECIAL:
            self.error(node, f'the attribute "{node.target.attr}" cannot be updated in place here')
        return self.node_contents_visit(node)

    # Patterns: they read attributes without a guard, so only names that need none.
    def visit_MatchAs(self, node: Any) -> Any:
        self.check_name(node, node.name)
        return self.node_contents_visit(node)

    visit_MatchStar = visit_MatchAs

    def visit_MatchMapping(self, node: ast.MatchMapping) -> Any:
        self.check_name(node, node.rest)
        return self.node_contents_visit(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> Any:
        for name in node.kwd_attrs:
            if name.startswith("_") or name in names.FORBIDDEN or name in names.SPECIAL:
                self.error(
                    node, f'a class pattern may not read the attribute "{name}"', "test it with if inside the case"
                )
        node = self.node_contents_visit(node)
        if any(
            isinstance(part, ast.Call) for part in ast.walk(node.cls)
        ):  # a guard got in; the compiler wants a plain name
            self.error(node, "the class of a pattern must be a plain public name")
        return node

    # Functions and classes
    def visit_FunctionDef(self, node: Any) -> Any:
        self.check_name(node, node.name, allow_magic_methods=True)
        return self._with_annotations(node, "returns")

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        self.check_name(node, node.name)
        for keyword in node.keywords:
            if keyword.arg is None:
                self.error(node, "**keywords in a class header are not available here")
            elif keyword.arg == "metaclass":
                keyword.value = _call(names.METACLASS_GUARD, keyword.value, keyword.value)
        self._classes.append(node.name)
        node = self.node_contents_visit(node)
        self._classes.pop()
        return node

    # Whatever may swallow the time limit asks first whether it has passed.
    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        self.check_name(node, node.name)
        node = self.node_contents_visit(node)
        node.body.insert(0, _check(node))
        return node

    def visit_Try(self, node: ast.Try) -> Any:
        node = self.node_contents_visit(node)
        if node.finalbody:
            node.finalbody.insert(0, _check(node.finalbody[0]))
        return node

    def visit_With(self, node: Any) -> Any:
        node = self.node_contents_visit(node)
        return [node, _check(node)]  # its __exit__, or suppress(), may have returned true

    visit_AsyncWith = visit_With

    # 3.12 syntax: type aliases and generics; names are checked, what they hold is visited like any expression
    def _type_parameter(self, node: Any) -> Any:
        self.check_name(node, node.name)
        return self.node_contents_visit(node)

    visit_TypeVar = visit_ParamSpec = visit_TypeVarTuple = _type_parameter

    def visit_TypeAlias(self, node: Any) -> Any:
        return self.node_contents_visit(node)


def _harmless_template(node: ast.Attribute) -> bool:
    """`"{} of {}".format`: a literal, so what it reads is known now."""
    return node.attr == "format" and isinstance(node.value, ast.Constant) and harmless(node.value.value)


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _located(new: Any, old: Any) -> Any:
    copy_locations(new, old)
    return new


def _call(guard: str, at: Any, *arguments: ast.expr) -> ast.Call:
    return _located(ast.Call(func=_name(guard), args=list(arguments), keywords=[]), at)


def _check(at: Any) -> ast.If:
    # The time limit is a list that is empty until it has passed: nearly nothing to look at, where a call is dear.
    return _located(ast.If(_name(names.PASSED), [ast.Expr(_call(names.ALIVE_GUARD, at))], []), at)


FLAGS: Final = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_Tree = TypeVar("_Tree", ast.Module, ast.Expression)


def restrict(tree: _Tree, *, guard_writes: bool = True) -> _Tree:
    """Apply the policy to a parsed cell, in place. Writes need no guard where library classes are sealed.

    Raises:
        PolicyError: the first thing that is not available.
    """
    policy = CellPolicy(guard_writes=guard_writes)
    policy.visit(tree)
    if policy.refusals:
        first = policy.refusals[0]
        raise PolicyError(first.message, first.line, first.hint)
    return tree
