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
    "collections": "ChainMap Counter OrderedDict UserDict UserList UserString defaultdict deque namedtuple",
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
    "string": """Formatter Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits
        printable punctuation whitespace""",
    "textwrap": "TextWrapper dedent fill indent shorten wrap",
    "difflib": """Differ HtmlDiff IS_CHARACTER_JUNK IS_LINE_JUNK Match SequenceMatcher context_diff
        diff_bytes get_close_matches ndiff restore unified_diff""",
    "unicodedata": """bidirectional category combining decimal decomposition digit east_asian_width
        is_normalized lookup mirrored name normalize numeric unidata_version""",
    "html": "escape unescape",
    "html.entities": "codepoint2name entitydefs html5 name2codepoint",
    "html.parser": "HTMLParser",
    "xml.etree.ElementTree": """Comment Element ElementTree PI ParseError ProcessingInstruction QName SubElement
        TreeBuilder XML XMLID XMLParser XMLPullParser canonicalize dump fromstring fromstringlist indent iselement
        iterparse parse register_namespace tostring tostringlist""",
    "xml.dom.minidom": "Document Node parseString",
    "xml.sax.saxutils": "escape quoteattr unescape",
    "urllib.parse": """parse_qs parse_qsl quote quote_from_bytes quote_plus unquote unquote_plus
        unquote_to_bytes urldefrag urlencode urljoin urlparse urlsplit urlunparse urlunsplit ParseResult
        SplitResult""",
    "shlex": "join quote split",
    "pprint": "PrettyPrinter isreadable isrecursive pformat pp pprint saferepr",
    "keyword": "iskeyword issoftkeyword kwlist softkwlist",
    "struct": "Struct calcsize error iter_unpack pack pack_into unpack unpack_from",
    "binascii": "Error Incomplete a2b_base64 a2b_hex b2a_base64 b2a_hex crc32 hexlify unhexlify",
    "base64": """a85decode a85encode b16decode b16encode b32decode b32encode b32hexdecode b32hexencode
        b64decode b64encode b85decode b85encode decodebytes encodebytes standard_b64decode
        standard_b64encode urlsafe_b64decode urlsafe_b64encode""",
    "codecs": """BOM_UTF16_BE BOM_UTF16_LE BOM_UTF8 decode encode getincrementaldecoder getincrementalencoder iterdecode
        iterencode lookup""",
    "gzip": "BadGzipFile compress decompress",
    "bz2": "compress decompress",
    "lzma": "LZMAError compress decompress",
    "zlib": "adler32 compress compressobj crc32 decompress decompressobj error",
    "hashlib": """algorithms_available algorithms_guaranteed blake2b blake2s file_digest md5 new pbkdf2_hmac sha1 sha224
        sha256 sha384 sha3_224 sha3_256 sha3_384 sha3_512 sha512 shake_128 shake_256""",
    "hmac": "HMAC compare_digest digest new",
    "uuid": "NAMESPACE_DNS NAMESPACE_OID NAMESPACE_URL NAMESPACE_X500 UUID uuid3 uuid4 uuid5",
    # formats
    "json": "JSONDecodeError JSONDecoder JSONEncoder dump dumps load loads",
    "csv": """Dialect DictReader DictWriter Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC
        QUOTE_NOTNULL QUOTE_STRINGS Sniffer excel excel_tab field_size_limit get_dialect list_dialects
        reader register_dialect unix_dialect unregister_dialect writer""",
    "configparser": """BasicInterpolation ConfigParser DEFAULTSECT DuplicateOptionError DuplicateSectionError Error
        ExtendedInterpolation InterpolationError MissingSectionHeaderError NoOptionError NoSectionError ParsingError
        RawConfigParser""",
    "email.utils": """format_datetime formataddr formatdate getaddresses parseaddr parsedate parsedate_to_datetime
        parsedate_tz""",
    "mimetypes": "guess_extension guess_type",
    "ipaddress": """AddressValueError IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface IPv6Network
        NetmaskValueError collapse_addresses ip_address ip_interface ip_network summarize_address_range""",
    "tomllib": "TOMLDecodeError load loads",
    # TextIOWrapper over what the cell has; FileIO and the real open() would take a descriptor of the worker
    "io": "BufferedReader BytesIO SEEK_CUR SEEK_END SEEK_SET StringIO TextIOWrapper UnsupportedOperation",
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
    "zoneinfo": "ZoneInfo ZoneInfoNotFoundError available_timezones",
    "timeit": "default_timer repeat timeit",
    # the language itself
    "abc": "ABC ABCMeta abstractmethod abstractproperty",
    "contextlib": """AbstractAsyncContextManager AbstractContextManager AsyncExitStack ContextDecorator
        ExitStack aclosing asynccontextmanager closing contextmanager nullcontext redirect_stderr
        redirect_stdout suppress""",
    "dataclasses": """FrozenInstanceError InitVar KW_ONLY MISSING asdict astuple dataclass field fields
        is_dataclass make_dataclass replace""",
    "enum": """CONFORM CONTINUOUS EJECT Enum EnumMeta EnumType Flag IntEnum IntFlag KEEP STRICT StrEnum UNIQUE auto
        member nonmember property show_flag_values unique verify""",
    "typing": """AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable
        AsyncIterator Awaitable BinaryIO Callable ChainMap ClassVar Collection Concatenate Container
        ContextManager Coroutine Counter DefaultDict Deque Dict Final FrozenSet Generator Generic Hashable
        IO ItemsView Iterable Iterator KeysView List Literal LiteralString Mapping MappingView Match
        MutableMapping MutableSequence MutableSet NamedTuple Never NewType NoReturn NotRequired Optional
        OrderedDict ParamSpec Pattern Protocol ReadOnly Required Reversible Self Sequence Set Sized
        SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsIndex SupportsInt SupportsRound
        TYPE_CHECKING Text TextIO Tuple Type TypeAlias TypeGuard TypeIs TypeVar TypeVarTuple TypedDict Union
        Unpack ValuesView assert_never assert_type cast final get_args get_origin get_type_hints is_typeddict overload
        override runtime_checkable""",
    "types": """AsyncGeneratorType BuiltinFunctionType BuiltinMethodType CoroutineType EllipsisType FunctionType
        GeneratorType GenericAlias GetSetDescriptorType LambdaType MappingProxyType MemberDescriptorType
        MethodDescriptorType MethodType ModuleType NoneType NotImplementedType SimpleNamespace TracebackType UnionType
        WrapperDescriptorType new_class""",
    "weakref": "ReferenceType WeakKeyDictionary WeakSet WeakValueDictionary ref",  # a proxy stands for other objects
    "inspect": """Parameter Signature cleandoc getdoc getfullargspec getmembers getmro isabstract isasyncgen
        isasyncgenfunction isawaitable isbuiltin isclass iscoroutine iscoroutinefunction isdatadescriptor isfunction
        isgenerator isgeneratorfunction ismethod ismethoddescriptor ismodule isroutine istraceback signature""",
    "queue": "Empty Full LifoQueue PriorityQueue Queue SimpleQueue",
    "concurrent.futures": """ALL_COMPLETED CancelledError Executor FIRST_COMPLETED FIRST_EXCEPTION Future
        ProcessPoolExecutor ThreadPoolExecutor TimeoutError as_completed wait""",
    "asyncio": """to_thread all_tasks Timeout ALL_COMPLETED Barrier BoundedSemaphore CancelledError Condition Event
        FIRST_COMPLETED FIRST_EXCEPTION Future InvalidStateError LifoQueue Lock PriorityQueue Queue
        QueueEmpty QueueFull Semaphore Task TaskGroup TimeoutError as_completed create_task current_task
        ensure_future gather iscoroutine iscoroutinefunction isfuture run shield sleep timeout timeout_at
        wait wait_for""",
    "logging": """CRITICAL DEBUG ERROR FATAL Filter Formatter Handler INFO Logger LoggerAdapter NOTSET
        NullHandler StreamHandler WARN WARNING addLevelName basicConfig critical debug disable error exception
        getLevelName getLogger info log warn warning""",  # nothing that opens files or sets classes
    "warnings": "catch_warnings filterwarnings resetwarnings simplefilter warn",
    "traceback": "format_exc format_exception format_exception_only format_tb print_exc print_exception print_tb",
    "__future__": "annotations division generator_stop print_function unicode_literals absolute_import",
    "sys": """argv byteorder exc_info exception exit float_info getrecursionlimit getrefcount getsizeof hash_info
        implementation int_info intern maxsize maxunicode platform setrecursionlimit stderr stdout version
        version_info""",
    "platform": "python_implementation python_version python_version_tuple system",
    "locale": """Error LC_ALL LC_COLLATE LC_CTYPE LC_MONETARY LC_NUMERIC LC_TIME atof atoi currency delocalize
        format_string getlocale localeconv setlocale str strcoll strxfrm""",
}
