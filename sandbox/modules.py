"""Which modules cells may import, and which names of each: one line per module.

A name stands here only after a look at what it does with names and code that it is given. Left out on purpose are the
confused deputies: library functions that read, write or evaluate whatever a caller names. `stand_ins.py` holds safe
forms of those that analysts need; `substitutes.py` says what to use instead of the rest.
"""

from __future__ import annotations

from typing import Final

ALLOWED: Final[dict[str, str]] = {
    # numbers
    "math": """acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf
        erfc exp exp2 expm1 fabs factorial floor fma fmod frexp fsum gamma gcd hypot inf isclose isfinite
        isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nan nextafter perm pi pow prod radians
        remainder sin sinh sqrt sumprod tan tanh tau trunc ulp""",
    "cmath": """acos acosh asin asinh atan atanh cos cosh e exp inf infj isclose isfinite isinf isnan log
        log10 nan nanj phase pi polar rect sin sinh sqrt tan tanh tau""",
    "statistics": """NormalDist StatisticsError correlation covariance fmean geometric_mean harmonic_mean
        kde linear_regression mean median median_grouped median_high median_low mode multimode pstdev
        pvariance quantiles stdev variance""",
    "decimal": """BasicContext Clamped Context ConversionSyntax Decimal DecimalException DecimalTuple
        DefaultContext DivisionByZero DivisionImpossible DivisionUndefined ExtendedContext FloatOperation
        Inexact InvalidContext InvalidOperation MAX_EMAX MAX_PREC MIN_EMIN MIN_ETINY Overflow ROUND_05UP
        ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP Rounded
        Subnormal Underflow getcontext localcontext setcontext""",
    "fractions": "Fraction",
    "numbers": "Complex Integral Number Rational Real",
    "random": """Random betavariate binomialvariate choice choices expovariate gammavariate gauss
        getrandbits getstate lognormvariate normalvariate paretovariate randbytes randint random randrange
        sample seed setstate shuffle triangular uniform vonmisesvariate weibullvariate""",
    "secrets": "choice compare_digest randbelow randbits token_bytes token_hex token_urlsafe",
    "colorsys": "hls_to_rgb hsv_to_rgb rgb_to_hls rgb_to_hsv rgb_to_yiq yiq_to_rgb",
    # collections and algorithms
    # UserString is left out: its format() is unguarded
    "collections": "ChainMap Counter OrderedDict UserDict UserList defaultdict deque namedtuple",
    "collections.abc": """AsyncGenerator AsyncIterable AsyncIterator Awaitable Buffer ByteString Callable
        Collection Container Coroutine Generator Hashable ItemsView Iterable Iterator KeysView Mapping
        MappingView MutableMapping MutableSequence MutableSet Reversible Sequence Set Sized ValuesView""",
    "itertools": """accumulate batched chain combinations combinations_with_replacement compress count cycle
        dropwhile filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee
        zip_longest""",
    "heapq": "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "graphlib": "CycleError TopologicalSorter",
    "array": "ArrayType array typecodes",
    "copy": "Error copy deepcopy replace",
    "functools": """cache cached_property cmp_to_key lru_cache partial partialmethod reduce singledispatch
        singledispatchmethod total_ordering update_wrapper wraps""",
    "operator": """abs add and_ attrgetter call concat contains countOf delitem eq floordiv ge getitem gt
        iadd iand iconcat ifloordiv ilshift imatmul imod imul index indexOf inv invert ior ipow irshift is_
        is_not isub itemgetter itruediv ixor le length_hint lshift lt matmul methodcaller mod mul ne neg
        not_ or_ pos pow rshift setitem sub truediv truth xor""",
    # text and bytes
    "re": """A ASCII DOTALL I IGNORECASE L LOCALE M MULTILINE Match NOFLAG Pattern PatternError RegexFlag S
        U UNICODE VERBOSE X compile error escape findall finditer fullmatch match purge search split sub
        subn""",
    "string": """Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits
        printable punctuation whitespace""",
    "textwrap": "TextWrapper dedent fill indent shorten wrap",
    "difflib": """Differ HtmlDiff IS_CHARACTER_JUNK IS_LINE_JUNK Match SequenceMatcher context_diff
        diff_bytes get_close_matches ndiff restore unified_diff""",
    "unicodedata": """bidirectional category combining decimal decomposition digit east_asian_width
        is_normalized lookup mirrored name normalize numeric unidata_version""",
    "html": "escape unescape",
    "html.parser": "HTMLParser",
    "xml.etree.ElementTree": """Comment Element ParseError QName SubElement XML fromstring fromstringlist
        indent iselement tostring tostringlist""",  # nothing that opens a file
    "urllib.parse": """parse_qs parse_qsl quote quote_from_bytes quote_plus unquote unquote_plus
        unquote_to_bytes urldefrag urlencode urljoin urlparse urlsplit urlunparse urlunsplit ParseResult
        SplitResult""",
    "pprint": "PrettyPrinter isreadable isrecursive pformat pp pprint saferepr",
    "keyword": "iskeyword issoftkeyword kwlist softkwlist",
    "struct": "Struct calcsize error iter_unpack pack pack_into unpack unpack_from",
    "binascii": "Error Incomplete a2b_base64 a2b_hex b2a_base64 b2a_hex crc32 hexlify unhexlify",
    "base64": """a85decode a85encode b16decode b16encode b32decode b32encode b32hexdecode b32hexencode
        b64decode b64encode b85decode b85encode decodebytes encodebytes standard_b64decode
        standard_b64encode urlsafe_b64decode urlsafe_b64encode""",
    "zlib": "adler32 compress compressobj crc32 decompress decompressobj error",
    "hashlib": """algorithms_available algorithms_guaranteed blake2b blake2s file_digest md5 new pbkdf2_hmac sha1 sha224
        sha256 sha384 sha3_224 sha3_256 sha3_384 sha3_512 sha512 shake_128 shake_256""",
    "uuid": "NAMESPACE_DNS NAMESPACE_OID NAMESPACE_URL NAMESPACE_X500 UUID uuid3 uuid4 uuid5",
    # formats
    "json": "JSONDecodeError JSONDecoder JSONEncoder dump dumps load loads",
    "csv": """Dialect DictReader DictWriter Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC
        QUOTE_NOTNULL QUOTE_STRINGS Sniffer excel excel_tab field_size_limit get_dialect list_dialects
        reader register_dialect unix_dialect unregister_dialect writer""",
    "tomllib": "TOMLDecodeError load loads",
    "io": "BytesIO SEEK_CUR SEEK_END SEEK_SET StringIO",
    "ast": "literal_eval",
    # time
    "datetime": "MAXYEAR MINYEAR UTC date datetime time timedelta timezone tzinfo",
    "calendar": """Calendar FRIDAY HTMLCalendar IllegalMonthError IllegalWeekdayError MONDAY SATURDAY SUNDAY
        THURSDAY TUESDAY TextCalendar WEDNESDAY calendar day_abbr day_name firstweekday isleap leapdays
        month month_abbr month_name monthcalendar monthrange prcal prmonth setfirstweekday timegm weekday
        weekheader""",
    "time": """altzone asctime ctime daylight gmtime localtime mktime monotonic monotonic_ns perf_counter
        perf_counter_ns process_time process_time_ns sleep strftime strptime struct_time time time_ns
        timezone tzname""",
    # the language itself
    "abc": "ABC ABCMeta abstractmethod abstractproperty",
    "contextlib": """AbstractAsyncContextManager AbstractContextManager AsyncExitStack ContextDecorator
        ExitStack aclosing asynccontextmanager closing contextmanager nullcontext redirect_stderr
        redirect_stdout suppress""",
    "dataclasses": """FrozenInstanceError InitVar KW_ONLY MISSING asdict astuple dataclass field fields
        is_dataclass replace""",
    "enum": """CONFORM CONTINUOUS EJECT Enum Flag IntEnum IntFlag KEEP STRICT StrEnum UNIQUE auto member
        nonmember unique verify""",
    "typing": """AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable
        AsyncIterator Awaitable BinaryIO Callable ChainMap ClassVar Collection Concatenate Container
        ContextManager Coroutine Counter DefaultDict Deque Dict Final FrozenSet Generator Generic Hashable
        IO ItemsView Iterable Iterator KeysView List Literal LiteralString Mapping MappingView Match
        MutableMapping MutableSequence MutableSet NamedTuple Never NewType NoReturn NotRequired Optional
        OrderedDict ParamSpec Pattern Protocol ReadOnly Required Reversible Self Sequence Set Sized
        SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsIndex SupportsInt SupportsRound
        TYPE_CHECKING Text TextIO Tuple Type TypeAlias TypeGuard TypeIs TypeVar TypeVarTuple TypedDict Union
        Unpack ValuesView assert_never assert_type cast final get_args get_origin is_typeddict overload
        override runtime_checkable""",
    "types": "FunctionType GeneratorType LambdaType MappingProxyType MethodType NoneType SimpleNamespace",
    "asyncio": """to_thread ALL_COMPLETED Barrier BoundedSemaphore CancelledError Condition Event
        FIRST_COMPLETED FIRST_EXCEPTION Future InvalidStateError LifoQueue Lock PriorityQueue Queue
        QueueEmpty QueueFull Semaphore Task TaskGroup TimeoutError as_completed create_task current_task
        ensure_future gather iscoroutine iscoroutinefunction isfuture run shield sleep timeout timeout_at
        wait wait_for""",
    "logging": """CRITICAL DEBUG ERROR FATAL Formatter INFO Logger NOTSET NullHandler StreamHandler WARN
        WARNING basicConfig critical debug disable error exception getLevelName getLogger info log warning""",
    "warnings": "warn",
    "traceback": "format_exc print_exc",
    "__future__": "annotations division generator_stop print_function unicode_literals absolute_import",
    "sys": """argv byteorder exit float_info getrecursionlimit getsizeof hash_info implementation int_info
        intern maxsize maxunicode platform stderr stdout version version_info""",
}
