"""The entry point: `main` is what the script `glossator` calls.

It imports almost nothing itself, so as to be in charge of Ctrl-C early: while the program loads and after its last word
Ctrl-C ends the process at once, as it ends any other. In between it is a KeyboardInterrupt, and what runs is closed.
"""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line of this process, and end with its exit code."""
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else it is ignored, as under nohup
    if heeded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from . import console, imports, program

    imports.hide("pandas")  # pyarrow imports it at its first value, which takes 0.2 s of every search
    console.prepare()
    if heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code = program.run()
    if heeded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(code)
