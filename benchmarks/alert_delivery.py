"""How soon an alert reaches a webhook after the check that confirmed it."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from sqlalchemy import select

from benchmarks.engine_installation import Installation
from benchmarks.figures import Figure
from edison.loops.monitors.models import Alert, MonitorCheck
from edison.workspace.deliveries.models import Delivery

MONITORS = 5
CASES = 24
MODEL = "echo"
LONGEST_SECONDS = 5
WAIT_SECONDS = 120
_PROJECT = "/projects/bench"
# Monitors that are checked by hand only.
_NEVER = "0 0 29 2 *"


class _Server(ThreadingHTTPServer):
    """Takes all connections that the engine opens at once; by default, five may wait."""

    request_queue_size = 512


class _Receiver(BaseHTTPRequestHandler):
    """Receives webhooks, and is a model that repeats the question."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": MODEL, "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self._send(_repeat(body) if "messages" in body else {})

    def _send(self, body: Mapping[str, Any]) -> None:
        answer = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Prints nothing."""


def _repeat(body: Mapping[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": body["messages"][-1]["content"]}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 20, "total_tokens": 40},
    }


@contextmanager
def _receiver() -> Iterator[str]:
    server = _Server(("127.0.0.1", 0), _Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


def measure_delivery(edison: Installation) -> Figure:
    """The slowest of several alerts: a bad release of a prompt whose answers repeat it."""
    with _receiver() as url:
        edison.ask(
            "POST",
            f"{_PROJECT}/destinations",
            channel="webhook",
            name="Receiver",
            address=url,
            kinds=["alert_opened"],
        )
        prompt_id = _release(edison, None, "Paris. {{question}}")
        monitors = _add_monitors(edison, prompt_id, edison.add_model(MODEL, url))
        _check(edison, monitors)
        _release(edison, prompt_id, "Berlin. {{question}}")
        _check(edison, monitors)
        seconds = asyncio.run(_wait_for_deliveries(edison, len(monitors)))
    return Figure(
        name=f"An alert, from its confirming check to the webhook: slowest of {MONITORS}",
        value=f"{max(seconds):.1f} s",
        target=f"< {LONGEST_SECONDS} s",
        is_met=max(seconds) < LONGEST_SECONDS,
    )


def _release(edison: Installation, prompt_id: str | None, text: str) -> str:
    """Puts the text into production; creates the prompt first unless it is given."""
    if prompt_id is None:
        made = edison.ask("POST", f"{_PROJECT}/prompts", name="Released", text=text)
        prompt_id = str(made["id"])
    path = f"{_PROJECT}/prompts/{prompt_id}"
    version = edison.ask("GET", path)["draft"]["version"]
    saved = edison.ask("PUT", f"{path}/draft", version=version, text=text)
    made = edison.ask(
        "POST", f"{path}/versions", version=saved["version"], changelog="Another text."
    )
    edison.ask("PUT", f"{path}/production", version_id=made["id"])
    return prompt_id


def _add_monitors(edison: Installation, prompt_id: str, model_id: str) -> list[str]:
    return [
        edison.ask(
            "POST",
            f"{_PROJECT}/monitors",
            name=f"Released {number}",
            prompt_id=prompt_id,
            dataset_id=edison.dataset_of(CASES),
            models=[{"model_id": model_id}],
            scorers=[{"kind": "contains", "options": {"phrases": ["Paris"]}}],
            cron=_NEVER,
            daily_budget_usd=None,
        )["id"]
        for number in range(MONITORS)
    ]


def _check(edison: Installation, monitors: list[str]) -> None:
    """Checks each monitor, and waits for all of them."""
    for monitor_id in monitors:
        edison.ask("POST", f"{_PROJECT}/monitors/{monitor_id}/run")
    until = time.monotonic() + WAIT_SECONDS
    for monitor_id in monitors:
        path = f"{_PROJECT}/monitors/{monitor_id}"
        while (state := edison.ask("GET", path)["last_check"]["state"]) != "done":
            assert state not in ("failed", "skipped", "cancelled"), state
            assert time.monotonic() < until, state
            time.sleep(0.5)


async def _wait_for_deliveries(edison: Installation, count: int) -> list[float]:
    """Seconds from the end of each check that opened an alert to the receiver's response."""
    async with edison.database() as database:
        until = time.monotonic() + WAIT_SECONDS
        while True:
            async with database.read() as session:
                delivered = (
                    await session.scalars(
                        select(Delivery.delivered_at).where(
                            Delivery.kind == "alert_opened", Delivery.delivered_at.is_not(None)
                        )
                    )
                ).all()
                ended = (
                    await session.scalars(
                        select(MonitorCheck.ended_at)
                        .join(Alert, Alert.check_id == MonitorCheck.id)
                        .where(Alert.rule == "drop")
                    )
                ).all()
            if len(delivered) == len(ended) == count:
                return _seconds_between(ended, delivered)
            assert time.monotonic() < until, f"{len(ended)} alerts, {len(delivered)} delivered"
            await asyncio.sleep(0.5)


def _seconds_between(ended: Any, delivered: Any) -> list[float]:
    """In order: alerts are delivered as they are opened."""
    pairs = zip(sorted(ended), sorted(delivered), strict=True)
    return [(after - before).total_seconds() for before, after in pairs]
