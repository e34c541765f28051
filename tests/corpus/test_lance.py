"""LanceDB is imported without the REST client that it brings, and whoever wants that client still gets it."""

from __future__ import annotations

import subprocess
import sys

POSTPONED = "lance_namespace_urllib3_client"


def run(code: str) -> list[str]:
    """The lines that a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_rest_client_is_not_run() -> None:
    code = f"""if True:
        import sys, glossator.corpus.index
        print([name for name in sys.modules if name.startswith(("{POSTPONED}.api.", "urllib3"))])
        print("{POSTPONED}.models" in sys.modules)  # if not, there is nothing to postpone any more
    """
    assert run(code) == ["[]", "True"]


def test_whoever_asks_for_it_gets_it_whole() -> None:
    code = f"""if True:
        import glossator.corpus.index
        import {POSTPONED} as client
        from {POSTPONED} import ApiClient, TableApi
        from {POSTPONED}.models import QueryTableRequest
        print(client.__version__, TableApi(ApiClient()).__class__.__name__)
        print(client.QueryTableRequest is QueryTableRequest, client.api.table_api.TableApi is TableApi)
        print(hasattr(client, "no_such_name"))
    """
    version, *rest = run(code)
    assert version.split()[1:] == ["TableApi"]
    assert rest == ["True True", "False"]


def test_many_threads_may_ask_at_once() -> None:
    code = f"""if True:
        import glossator.corpus.index
        import {POSTPONED} as client
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(8) as pool:
            print(len(set(pool.map(lambda _: client.TableApi, range(8)))))
    """
    assert run(code) == ["1"]


def test_one_that_was_imported_before_is_left_alone() -> None:
    code = f"""if True:
        import {POSTPONED} as before
        import sys, glossator.corpus.index
        print(sys.modules["{POSTPONED}"] is before, type(before).__name__)
    """
    assert run(code) == ["True module"]
