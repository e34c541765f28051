"""The worker's end of the wire, in a process of its own: it ends itself when the host is gone."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

PREAMBLE = """
import asyncio, signal, socket, threading
from glossator.sandbox.channel import HostChannel
from glossator.sandbox.frames import Decoder, encode
from glossator.sandbox.loops import CellLoop

ours, theirs = socket.socketpair()
channel = HostChannel(theirs)

run = CellLoop().run

def host(answer):
    '''Answers every frame from another thread.'''
    def serve():
        # A worker has one thread. This one must not take the alarm in place of the channel's, which holds it back.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        decoder = Decoder(1 << 30)
        while data := ours.recv(1 << 16):
            decoder.add(data)
            for frame in iter(decoder.next, None):
                for reply in answer(frame.header):
                    ours.sendall(reply)
    threading.Thread(target=serve, daemon=True).start()

def echo(header):
    value = header.get("header") or header["args"]
    yield encode({"kind": "answer", "id": header["id"], "value": value}, [b"x" * 300_000])
"""


def output(program: str) -> str:
    command = [sys.executable, "-c", PREAMBLE + dedent(program)]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_requests_and_calls_share_the_wire() -> None:
    program = """
        host(echo)
        async def main():
            waiting = asyncio.gather(*[channel.call("f", [n], {}) for n in range(3)])
            await asyncio.sleep(0)
            # Blocks the event loop, and takes in the answers of the calls on its way.
            value, bodies = channel.request({"file": 1})
            print(value, [len(body) for body in bodies])
            print(await waiting)
        run(main())
    """
    assert output(program) == "{'file': 1} [300000]\n[[0], [1], [2]]\n"


def test_an_alarm_at_any_point_loses_no_byte_of_the_stream() -> None:
    program = """
        host(echo)
        from glossator.sandbox.deadline import Deadline, TimeLimit
        interrupted = finished = 0
        while interrupted < 200 or finished < 50:
            try:
                with Deadline(0.0001 + interrupted % 40 * 0.00005):
                    value, bodies = channel.request({"n": finished})
                    assert value == {"n": finished} and bodies == [b"x" * 300_000], value
                finished += 1
            except TimeLimit:
                interrupted += 1
        print(channel.request({"n": -1})[0])
    """
    assert output(program) == "{'n': -1}\n"


def test_answers_that_nobody_waits_for_any_more_are_dropped() -> None:
    program = """
        ours.sendall(encode({"kind": "answer", "id": 77, "value": 1}) + encode({"kind": "run", "id": 5}))
        print(channel.order().header)
    """
    assert output(program) == "{'kind': 'run', 'id': 5}\n"


def test_more_questions_than_the_wire_holds_do_not_block_each_other() -> None:
    program = """
        def slowly(header):
            yield encode({"kind": "answer", "id": header["id"], "value": ["y" * 10_000]})
        host(slowly)
        async def main():
            answers = await asyncio.gather(*[channel.call("f", ["x" * 10_000], {}) for _ in range(500)])
            print(len(answers))
        run(main())
    """
    assert output(program) == "500\n"


def test_the_worker_ends_with_the_host() -> None:
    program = """
        import os
        ours.close()
        channel.order()
        print("never")
    """
    assert output(program) == ""
