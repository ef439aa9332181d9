"""Providers that are an HTTP address, asked at a local server."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from edison.evals.errors import ConfigError
from edison.evals.http_provider import http_function
from edison.evals.plan import EvalProvider
from edison.evals.targets import TargetKind, target_of
from edison.pipeline.generate.local_functions import LocalAnswer

PROMPT = 'Say "hi" to {{name}}\nnow'


class Echoing(BaseHTTPRequestHandler):
    """Answers with what it received."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        found = {"path": self.path, "body": body, "key": self.headers.get("X-Key"),
                 "method": self.command}  # fmt: skip
        text = "plain text" if self.path == "/text" else json.dumps(found)
        self.send_response({"/moved": 302, "/broken": 500}.get(self.path, 200))
        if self.path == "/moved":
            self.send_header("Location", "/text")
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), Echoing)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()


async def ask(url: str, **config: Any) -> LocalAnswer:
    provider = EvalProvider(id="http", config={"url": url, **config})
    return await http_function(provider, {PROMPT: {"name": "Bob"}})(PROMPT)


async def test_the_request_is_filled_in_and_values_cannot_break_its_json(server: str) -> None:
    answer = await ask(
        f"{server}/chat?a=1",
        body={"messages": [{"content": "{{prompt}}"}], "to": "{{name}}", "n": 2},
        headers={"X-Key": "key of {{name}}"},
        queryParams={"q": "{{name}} & more"},
    )
    received = json.loads(answer.text or "")
    assert json.loads(received["body"]) == {"messages": [{"content": PROMPT}], "to": "Bob", "n": 2}
    assert received["path"] == "/chat?a=1&q=Bob+%26+more"
    assert (received["key"], received["method"]) == ("key of Bob", "POST")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("json.method", "GET"),
        ("(json, text) => ({output: text.length > 5})", "true"),
        ("({output: 'a'})", "a"),
        ("json.path.split('/')", '["","chat"]'),
    ],
)
async def test_code_reads_the_answer(server: str, code: str, text: str) -> None:
    assert (await ask(f"{server}/chat", transformResponse=code)).text == text


async def test_errors_are_those_of_the_row(server: str) -> None:
    assert (await ask(f"{server}/text")).text == "plain text"
    assert "answered 302" in ((await ask(f"{server}/moved")).error or "")
    assert "answered 500" in ((await ask(f"{server}/broken")).error or "")
    failed = await ask(f"{server}/chat", transformResponse="json.no.such")
    assert "transformResponse failed" in (failed.error or "")
    assert "no answer" in ((await ask(f"{server}/chat", transformResponse="json.no")).error or "")
    assert "cannot be asked" in ((await ask("http://127.0.0.1:1/")).error or "")
    assert "rendered" in ((await ask(f"{server}/chat", body="{% if %}")).error or "")


def test_each_request_is_a_model_of_its_own_and_wrong_ones_are_refused() -> None:
    first, second = (
        target_of(EvalProvider(id="https://example.org/a", config={"body": body}), {})
        for body in ("a", "b")
    )
    assert first.kind is TargetKind.HTTP
    assert first.is_code
    assert first.model != second.model
    for config in ({"url": "file:///etc/passwd"}, {}, {"url": "http://a", "transformResponse": 1}):
        with pytest.raises(ConfigError):
            http_function(EvalProvider(id="http", config=config), {})
