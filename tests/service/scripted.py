"""An OpenAI-compatible server on loopback that plays a script: what a language model would say, over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Message = dict[str, Any]
Step = Message | Callable[[list[Message]], Message]  # what it says, perhaps made from the messages so far


def says(text: str) -> Message:
    return {"role": "assistant", "content": text}


def calls(tool: str, **arguments: Any) -> Message:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "", "type": "function", "function": function}]}


@dataclass
class Script:
    """The steps to play; the last one is repeated. `requests` are the bodies that were received."""

    steps: Sequence[Step]
    requests: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        self.requests.append(request)
        turn = len(self.requests)
        step = self.steps[min(turn, len(self.steps)) - 1]
        message = json.loads(json.dumps(step(request["messages"]) if callable(step) else step))
        for call in message.get("tool_calls", ()):
            call["id"] = f"call-{turn}"
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        return {
            "id": f"reply-{turn}",
            "object": "chat.completion",
            "created": 1,
            "model": request["model"],
            "choices": [{"index": 0, "finish_reason": reason, "message": message}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11},
        }


@contextmanager
def serving(*steps: Step) -> Iterator[Script]:
    """Serve the script while the block runs; its `url` goes into OPENAI_BASE_URL."""
    script = Script(steps)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.path == "/v1/chat/completions":
                self._send(200, script.reply(json.loads(body)))
            else:
                self._send(404, {"error": {"message": f"no {self.path} here", "type": "not_found"}})

        def _send(self, status: int, value: object) -> None:
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
