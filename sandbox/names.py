"""Which names and attributes cells may use: every decision of the policy that is a name, one table per question."""

from __future__ import annotations

from typing import Final

from RestrictedPython.transformer import INSPECT_ATTRIBUTES

# The functions that compiled cells call. None is an identifier: source text can never name, shadow, rebind or delete
# them (positional-only parameters that shadowed guards were CVE-2026-55830 of RestrictedPython).
PRIVATE_GUARD: Final = "$private"
SPECIAL_GUARD: Final = "$special"
WRITE_GUARD: Final = "$writable"
METACLASS_GUARD: Final = "$metaclass"
ALIVE_GUARD: Final = "$alive"
PASSED: Final = "$passed"
EXACT_TYPE: Final = "$t"
OWN_TYPES: Final = "$own"

# Attributes that lead to frames, code objects or the event loop; no class, function or variable may have such a name.
FORBIDDEN: Final = frozenset(INSPECT_ATTRIBUTES) | frozenset(
    {
        "cell_contents",  # what a closure holds
        "co_cellvars",  # the rest of a code object: enough to rebuild it
        "co_consts",
        "co_freevars",
        "co_names",
        "co_varnames",
        "f_lasti",
        "tb_lasti",
        "gi_suspended",
        "load_module",  # importers
        "exec_module",
    }
)

# Public attributes that need a look at the object at run time; never read through a pattern or a dataclass field.
SPECIAL: Final = frozenset(
    {
        "format",  # str.format walks attributes in C: "{0.__globals__}" (CVE-2023-41039)
        "format_map",
        "obj",  # AttributeError.obj is whatever library code was looking at (CVE-2024-47532)
        "register",  # ABC.register makes any object match a class pattern of one's own
        "mro",  # leads to the classes behind stand-ins
        "get_coro",  # asyncio.Task: the coroutine, its frames, the loop
        "get_loop",
        "get_stack",
        "print_stack",
    }
)

# Special methods that a class may define: they are called by the interpreter with the class's own objects.
_ARITHMETIC = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or"
DEFINABLE: Final = frozenset(
    [f"__{prefix}{name}__" for name in _ARITHMETIC.split() for prefix in ("", "r", "i") if prefix + name != "idivmod"]
    + [
        f"__{name}__"
        for name in (
            "init new post_init init_subclass class_getitem set_name "  # making
            "repr str bytes format hash bool fspath dir sizeof "  # showing
            "eq ne lt le gt ge "  # comparing
            "len length_hint iter next reversed contains getitem setitem delitem missing "  # containers
            "enter exit aenter aexit aiter anext await call "  # statements
            "getattr get set delete setattr delattr "  # attributes (setattr and delattr: only over own classes)
            "int float complex index round trunc floor ceil neg pos abs invert "  # numbers
            "copy deepcopy replace"  # copying
        ).split()
    ]
)
# Not there, on purpose: __getattribute__ (sees every internal read), __reduce*__, __getstate__, __setstate__
# (copy obeys them and sets any attribute), __del__ (runs after the cell), __match_args__ (a class pattern
# reads any attribute), __subclasshook__, __instancecheck__, __subclasscheck__ (any object matches), __prepare__,
# __mro_entries__, __buffer__.

# Special names that a class body or module may assign, and that may be read as plain names.
ASSIGNABLE: Final = DEFINABLE | {
    "__name__",
    "__doc__",
    "__slots__",
    "__all__",
    "__version__",
    "__author__",
    "__hash__",
    "__debug__",
}

# Special attributes that may be read as they are.
READABLE: Final = (
    DEFINABLE - {"__getattr__", "__get__", "__set__", "__delete__", "__set_name__", "__setattr__", "__delattr__"}
) | {
    "__name__",
    "__qualname__",
    "__module__",
    "__doc__",
    "__version__",
    "__slots__",
    "__match_args__",  # names only; it is writing them that is dangerous
    "__members__",  # of an Enum
    "__cause__",  # the exceptions behind an exception
    "__context__",
    "__suppress_context__",
    "__notes__",
    "__traceback__",  # inert: its frames and links are FORBIDDEN
    "__abstractmethods__",  # names only
    "__isabstractmethod__",
    "__origin__",  # of list[int]
    "__args__",
    "__parameters__",
    "__orig_bases__",
    "__metadata__",  # of Annotated
    "__supertype__",  # of a NewType
    "__bound__",  # of a TypeVar
    "__constraints__",
    "__covariant__",
    "__contravariant__",
    "__type_params__",
    "__value__",  # of a type alias
    "__forward_arg__",  # text
    "__total__",  # of a TypedDict
    "__required_keys__",
    "__optional_keys__",
}
# Special attributes that are looked at when they are read: which guard does it stands in `guards.READERS`.
GUARDED: Final = frozenset(
    {
        "__class__",  # like type(x): never a metaclass
        "__dict__",  # without what is not the user's
        "__annotations__",  # a copy: dataclass() turns its keys into code
        "__setattr__",  # object.__setattr__(self, …) of frozen dataclasses
        "__delattr__",
        "__mro__",  # as `mro`: only when no class in it is hidden from cells
        "__bases__",
        "__base__",
        "__subclasses__",  # object.__subclasses__() is every class of the process: of the user's own classes only
        "__wrapped__",  # what a stand-in wraps is what it stands in for: functions of the user's only
        "__func__",
        "__self__",  # print.__self__ is the module builtins
        "__defaults__",
        "__kwdefaults__",  # a copy: library code would use what is written there
        "__dataclass_fields__",  # a copy: asdict() reads the attributes that its fields name
    }
)
STORABLE: Final = frozenset(
    {
        "__name__",  # what decorators copy by hand
        "__qualname__",
        "__doc__",
        "__cause__",  # of exceptions, which take nothing but exceptions
        "__context__",
        "__suppress_context__",
        "__traceback__",
    }
)

# Attributes with one leading underscore that are the public interface of library classes.
NAMEDTUPLE_INTERFACE: Final = frozenset({"_asdict", "_replace", "_fields", "_make", "_field_defaults"})
ENUM_INTERFACE: Final = frozenset(
    {"_value_", "_name_", "_missing_", "_generate_next_value_", "_ignore_", "_order_", "_member_map_", "_member_names_"}
)

# What the compiler, abc, typing and dataclasses put into the dict of a finished class.
CLASS_SPECIALS: Final = (
    DEFINABLE
    | {"__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__slots__", "__hash__"}
    | {"__static_attributes__", "__firstlineno__", "__type_params__", "__classcell__", "__name__", "__all__"}
    | {"__version__", "__author__", "__orig_bases__", "__parameters__", "__abstractmethods__", "__match_args__"}
    | {"__protocol_attrs__", "__non_callable_proto_members__", "__callable_proto_members_only__", "__subclasshook__"}
    | {"__total__", "__required_keys__", "__optional_keys__", "__readonly_keys__", "__mutable_keys__", "__members__"}
    | {"__getnewargs__", "__new_member__", "__reduce_ex__", "__getnewargs_ex__", "__signature__"}
)
# What library classes keep for themselves without any power.
CLASS_PRIVATES: Final = frozenset(
    {"_MutableMapping__marker", "_abc_impl", "_is_protocol", "_is_runtime_protocol", "_fields_defaults"}
)

# Built-in functions and types that are handed out as they are. Guarded ones are in `guards.py` and `cell_builtins.py`.
PLAIN_BUILTINS: Final = """
abs aiter all anext any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter
float format frozenset hash hex id int isinstance issubclass iter len list map max memoryview min next object oct
ord pow print property range repr reversed round set slice sorted staticmethod str sum super tuple zip
NotImplemented Ellipsis
""".split()


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4


def is_private(name: str) -> bool:
    """Starts with an underscore and is no special name; `_` itself is an ordinary name."""
    return name.startswith("_") and name != "_" and not is_dunder(name)
