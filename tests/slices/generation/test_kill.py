"""A process is killed during a generation: another one continues it."""

import asyncio
import json
import os
import re
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import delete, update

from edison.cli.main import main as edison
from edison.kit import clock
from edison.library.generation.models import Generation, GenerationBatch, GenerationDraft
from edison.library.generation.run import run_generation
from edison.settings import Settings
from tests.fake_providers import openai
from tests.slices.generation.conftest import HINTS, Desk, batch
from tests.support.commands import set_environment
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import environment, running_server
from tests.support.zygote import ZYGOTE, Child

CASES = 60


class Author:
    """Answers batches, but holds all from the third on until released."""

    def __init__(self) -> None:
        self.answered: Counter[int] = Counter()
        self.waiting: set[int] = set()
        self.may_go_on = threading.Event()

    def answer(self, body: dict[str, Any]) -> dict[str, Any] | None:
        said = "\n".join(message["content"] for message in body["messages"])
        number = int(re.findall(r"Batch: (\d+)", said)[0])
        if number > 2 and not self.may_go_on.is_set():
            self.waiting.add(number)
            self.may_go_on.wait(PATIENCE_SECONDS)
            return None
        self.answered[number] += 1
        reply = batch(number)
        return dict(reply.body)  # type: ignore[union-attr]  # an Answer


@pytest.fixture
def author() -> Iterator[tuple[Author, str]]:
    playing = Author()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(openai.MODELS.body)

        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            found = playing.answer(json.loads(self.rfile.read(size)))
            if found is not None:
                self._send(found)

        def _send(self, body: Any) -> None:
            content = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield playing, f"http://127.0.0.1:{server.server_port}"
    playing.may_go_on.set()
    server.shutdown()
    server.server_close()


@contextmanager
def worker(settings: Settings) -> Iterator[Child]:
    """`edison worker`, as an operator starts it."""
    process = Child(ZYGOTE.Process(target=_work, args=(dict(os.environ) | environment(settings),)))
    try:
        yield process
    finally:
        process.kill()


def _work(given: Mapping[str, str]) -> None:
    set_environment(given)
    sys.argv = ["edison", "worker"]
    edison()


@contextmanager
def installation(settings: Settings) -> Iterator[tuple[str, Child]]:
    """The server's address, and the process that runs the jobs."""
    settings = settings.model_copy(update={"sweep_seconds": 0.5})
    with running_server(settings) as server:
        if settings.is_embedded:
            yield server.url, server.process
        else:
            with worker(settings) as process:
                yield server.url, process


class Editor:
    """An HTTP client that stays signed in when the server is replaced."""

    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}
        self.url = ""

    def send(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"X-CSRF-Token": self.cookies.get("edison_csrf", "")}
        with httpx.Client(
            base_url=self.url, cookies=self.cookies, timeout=PATIENCE_SECONDS
        ) as client:
            response = client.request(method, f"/api/v1{path}", json=body, headers=headers)
            assert response.is_success, response.text
            self.cookies |= dict(client.cookies)
        return response.json()

    def start(self, provider_url: str) -> str:
        """The address of a new generation."""
        who = {"email": "ada@example.org", "password": "Analytical-Engine-1843!"}
        self.send("POST", "/auth/register", who)
        project = f"/projects/{self.send('POST', '/projects', {'name': 'Mine'})['slug']}"
        credential = {
            "provider": "openai_compatible",
            "label": "Local",
            "settings": {"base_url": provider_url},
            "secrets": {},
        }
        made = self.send("POST", f"{project}/credentials", credential)
        model = {"credential_id": made["id"], "provider_model": "gpt-x"}
        model_id = self.send("POST", f"{project}/models", model)["id"]
        dataset_id = self.send("GET", f"{project}/datasets")["items"][0]["id"]
        url = f"{project}/datasets/{dataset_id}/generations"
        wanted = {"kind": "synthetic", "model_id": model_id, "count": CASES, "hints": HINTS}
        wanted |= {"variables": ["question"]}
        return f"{url}/{self.send('POST', url, wanted)['id']}"


async def wait_until(is_so: Any) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await asyncio.to_thread(is_so):
            pass


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "stopped"])
async def test_an_ended_process_is_continued_and_no_answer_is_paid_twice(
    settings: Settings, author: tuple[Author, str], ending: signal.Signals
) -> None:
    playing, provider_url = author
    editor = Editor()
    with installation(settings) as (editor.url, process):
        url = editor.start(provider_url)
        await wait_until(lambda: editor.send("GET", url)["draft_count"] == 20 and playing.waiting)
        os.kill(process.pid, ending)
        await asyncio.to_thread(process.wait)
    playing.may_go_on.set()
    with installation(settings) as (editor.url, _):
        await wait_until(lambda: editor.send("GET", url)["state"] == "done")
        ended = editor.send("GET", url)
        drafts = editor.send("GET", f"{url}/drafts?limit=100")["items"]
    assert ended["draft_count"] == CASES
    assert len({draft["inputs"]["question"] for draft in drafts}) == CASES
    assert playing.answered == dict.fromkeys(range(1, 7), 1)


async def test_an_uncommitted_answer_is_found_in_the_cache(app: FastAPI, desk: Desk) -> None:
    """As after a kill between the answer and its commit."""
    desk.server.script(batch(0), batch(1), batch(2))
    generation_id = (await desk.generate(count=30))["id"]
    calls = len(desk.server.received)
    async with app.state.database.write() as session:
        await session.execute(delete(GenerationDraft).where(GenerationDraft.batch == 1))
        await session.execute(delete(GenerationBatch).where(GenerationBatch.number == 1))
        reset = {"state": "running", "draft_count": 20, "claimed_until": clock.now()}
        await session.execute(update(Generation).values(**reset, ended_at=None))
    await run_generation(app.state.database, app.state.gateway, UUID(generation_id))
    ended = await desk.finish(generation_id)
    assert (ended["state"], ended["draft_count"]) == ("done", 30)
    assert len(desk.server.received) == calls
