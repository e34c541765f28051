from __future__ import annotations

from .child import attempts


def test_an_ordinary_user_gets_namespaces_through_its_own() -> None:
    ended = attempts(
        """
        namespaces.become_nobody()
        namespaces.leave("network", "mount", "ipc", "uts", "pid")
        attempt("user", os.getuid)
        attempt("interfaces", lambda: [name for _, name in socket.if_nameindex() if name == "lo"])
        attempt("network", socket.create_connection, ("127.0.0.1", 9))
        namespaces.empty_root()
        attempt("root", os.listdir, "/")
        attempt("write", os.mkdir, "/x")
        attempt("upwards", lambda: os.listdir("/../.."))
        attempt("old working folder", os.listdir, ".")
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.write(writing, str(os.getpid()).encode())
            os._exit(0)
        os.close(writing)
        attempt("child", lambda: int(os.read(reading, 9)))
        """
    )
    assert ended == {
        "user": 65534,
        "interfaces": ["lo"],
        "network": "ENETUNREACH",
        "root": [],
        "write": "EROFS",
        "upwards": [],
        "old working folder": [],
        "child": 1,
    }


def test_a_refusal_is_an_error() -> None:
    ended = attempts(
        """
        seccomp.deny("mounts", processes=True)
        attempt("leave", namespaces.leave, "user")
        """
    )
    assert ended == {"leave": "EPERM"}
