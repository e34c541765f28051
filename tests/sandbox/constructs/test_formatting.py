"""f-strings, str.format and string.Formatter."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .sides import agrees, fails, refused

ALLOWED = {
    "f-strings": "n, s = 3, 'a'\nprint(f'{n:>5}|{s!r}|{n=}|{n:{n}d}|{{}}|{s:*^5}|{n / 2:.1%}')",
    "format": "print('{0.real:>4} {1[k]} {x!r} {{}} {:.1f}'.replace('{:.1f}', '').format(3, {'k': 1}, x='a'), '{} {}'.format(1, 2), '{:,}'.format(10**6))",
    "names of classes": "class P:\n    def __init__(self): self._x = 1\n    def __repr__(self): return '{0.__class__.__name__}({0._x!r:>3})'.format(self)\nprint(P(), '{.__name__}'.format(P))",
    "format_map": "print('{a}-{b[0]}'.format_map({'a': 1, 'b': [2]}))",
    "formatter": "from string import Formatter, Template\nprint(Formatter().format('{0} {x!r:>4}', 1, x='y'), Template('$a').substitute(a=1))",
    "errors": "for bad in ('{', '{0} {}', '{2}', '{x}', '{0.nope}', '{!z}'):\n    try: print(bad.format(1))\n    except (ValueError, IndexError, KeyError, AttributeError) as e: print(type(e).__name__, e)",
    "percent": "print('%s %5.2f %x %(a)s' % {'a': 1} if False else '%s %5.2f %x' % ('a', 1.5, 255))",
}
REFUSED = [
    ("f'{x.__globals__}'", "is not available here"),
    ("f'{x:{y.__code__}}'", "is not available here"),
    ("f'{x.gi_frame!r}'", "is not available here"),
]
FAILING = [
    ("'{0.__class__}'.format(1)", "may not read"),
    ("'{0.__globals__}'.format(lambda: 0)", "is not available here"),
    ("str.format('{0.__code__}', lambda: 0)", "is not available here"),
    ("'{x.__globals__}'.format_map({'x': lambda: 0})", "is not available here"),
    ("def g(): yield\n'{0.gi_frame}'.format(g())", "is not available here"),
    ("list(map('{0.__globals__}'.format, [lambda: 0]))", "is not available here"),
]


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed(name: str) -> None:
    agrees(ALLOWED[name])


@pytest.mark.parametrize(("source", "says"), REFUSED)
def test_refused(source: str, says: str) -> None:
    refused(source, says)


@pytest.mark.parametrize(("source", "says"), FAILING)
def test_fails_when_it_runs(source: str, says: str) -> None:
    fails(source, says)
