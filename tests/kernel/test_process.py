from __future__ import annotations

from .child import attempts, run


def test_capabilities_are_given_up_for_good() -> None:
    ended = attempts(
        """
        namespaces.become_nobody()  # holds every capability in there
        attempt("may mount", lambda: int(capabilities.has(capabilities.SYS_ADMIN)))
        capabilities.limit()
        capabilities.drop()
        attempt("held", capabilities.held)
        attempt("mount", namespaces.leave, "mount")
        attempt("again", capabilities.limit)
        """
    )
    assert ended == {"may mount": 1, "held": 0, "mount": "EPERM", "again": "done"}


def test_new_privileges() -> None:
    ended = attempts(
        """
        attempt("before", lambda: int(process.has_no_new_privileges()))
        process.no_new_privileges()
        attempt("after", lambda: int(process.has_no_new_privileges()))
        """
    )
    assert ended == {"before": 0, "after": 1}


def test_limits_only_go_down() -> None:
    ended = attempts(
        """
        process.limit({resource.RLIMIT_NOFILE: 50})
        process.limit({resource.RLIMIT_NOFILE: 60})
        attempt("files", lambda: list(resource.getrlimit(resource.RLIMIT_NOFILE)))
        """
    )
    assert ended == {"files": [50, 50]}


def test_descriptors_but_the_named_are_closed() -> None:
    ended = attempts(
        """
        kept, other = os.pipe()
        os.dup2(other, 200)
        process.limit({resource.RLIMIT_NOFILE: 100})  # what is above is still open
        process.close_all_but(1, kept)
        attempt("kept", lambda: os.fstat(kept) and "done")
        attempt("other", os.fstat, other)
        attempt("high", os.fstat, 200)
        attempt("standard input", os.fstat, 0)
        """
    )
    assert ended == {"kept": "done", "other": "EBADF", "high": "EBADF", "standard input": "EBADF"}


def test_a_child_dies_with_its_parent() -> None:
    finished = run(
        """
        reading, writing = os.pipe()
        process.adopt_orphans()
        middle = os.fork()
        if middle == 0:
            child = os.fork()
            if child == 0:
                process.die_with_parent()
                os.write(writing, b"x")
                signal.pause()
            os.read(reading, 1)
            os.write(writing, child.to_bytes(4, "big"))
            os._exit(0)
        os.waitpid(middle, 0)
        child = int.from_bytes(os.read(reading, 4), "big")
        attempt("signal", lambda: os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert finished.stdout == '{"signal": -9}', finished.stderr


def test_first_to_go_when_memory_runs_out() -> None:
    ended = attempts(
        """
        process.first_to_go()
        attempt("score", Path("/proc/self/oom_score_adj").read_text)
        """
    )
    assert ended == {"score": "1000\n"}
