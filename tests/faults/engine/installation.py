"""A complete installation: a server, its engine on SQLite or workers on PostgreSQL, a database, and
a user with a token who starts runs on a fake provider. All of its processes can be killed.
"""

import os
import re
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.faults.engine import process
from tests.faults.engine.process import Orders, Pace
from tests.faults.engine.provider import FakeProvider
from tests.support.empty_databases import Dialect
from tests.support.patience import PATIENCE_SECONDS
from tests.support.zygote import ZYGOTE, Child

LOOK_SECONDS = 0.05
CALLS_PER_CREDENTIAL = 8
PERSON = {"email": "ada@example.org", "password": "Analytical-Engine-1843!"}
PRICES = {"input_usd_per_million": "2", "output_usd_per_million": "8"}
MODELS = ("gpt-a", "gpt-b")
# API keys of the models' credentials: one per model.
KEYS = tuple(f"sk-of-{model}" for model in MODELS)
PARAMETERS = {"max_tokens": 50}
TEXT = "Where is {{thing}}?"
ENDED = ("completed", "cancelled", "failed")
_URL = re.compile(r'"url": "(http://[^"]+)"')


def question(model: str, thing: str) -> str:
    """The provider's name for a cell's question."""
    return f"{model}: Where is {thing}?"


class Engine:
    """The process that a server on SQLite started."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    @property
    def is_running(self) -> bool:
        """A process that ended without being waited for is a zombie with a single thread. With
        several, some still have to end: a killed one finishes what it was writing.
        """
        try:
            status = Path(f"/proc/{self.pid}/status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return False
        return "\nState:\tZ" not in status or "\nThreads:\t1\n" not in status

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        self.wait()

    def freeze(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def wait(self) -> None:
        """Until it has ended."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.is_running:
            assert time.monotonic() < deadline, "it did not end"
            time.sleep(LOOK_SECONDS / 10)


@dataclass(slots=True, kw_only=True)
class Installation:
    """`workers` are empty on SQLite, where the server or its engine runs the jobs."""

    dialect: Dialect
    database_url: str
    folder: Path
    settings: Mapping[str, str]
    provider: FakeProvider
    pace: Pace | None = field(default_factory=Pace)
    twin: str | None = None
    clock_file: Path | None = None
    server: Child | None = None
    workers: list[Child] = field(default_factory=list)
    client: httpx.Client = field(default_factory=lambda: httpx.Client(timeout=PATIENCE_SECONDS))
    variants: list[dict[str, Any]] = field(default_factory=list)
    _logs: int = 0

    @property
    def processes(self) -> list[Child]:
        """All processes that were started here and should be running."""
        return [*self.workers, *([self.server] if self.server else [])]

    @property
    def engine(self) -> "Engine | None":
        """The server's engine process, once it is registered; None if it has none."""
        if self.dialect != "sqlite" or self.settings["EDISON_ENGINE"] != "process":
            return None
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (pids := self._read_engine_pids()):
            assert time.monotonic() < deadline, self.log
            time.sleep(LOOK_SECONDS)
        return Engine(pids[-1])

    def _read_engine_pids(self) -> list[int]:
        with closing(sqlite3.connect(self.database_url.partition(":///")[2])) as database:
            found = database.execute(
                "SELECT pid FROM worker_processes WHERE kind = 'worker' ORDER BY started_at"
            )
            return [pid for (pid,) in found if Engine(pid).is_running]

    @property
    def log(self) -> str:
        return "\n".join(file.read_text() for file in sorted(self.folder.glob("*.log")))

    @property
    def replacements(self) -> int:
        """How often a live process was taken for dead: on a busy machine heartbeats are late."""
        return self.log.count("reaped by another process")

    def start(self, *, workers: int = 2) -> None:
        self.start_server()
        for _ in range(0 if self.dialect == "sqlite" else workers):
            self.start_worker()

    def start_server(self) -> None:
        self.server, log = self._start("--json", "serve", "--no-open", "--port", "0")
        found = self._wait(lambda: _URL.search(log.read_text()), self.server, log)
        self.client.base_url = httpx.URL(found[1])

    def start_worker(self) -> Child:
        worker, log = self._start("--json", "worker")
        self.workers.append(worker)
        self._wait(lambda: "running" in log.read_text(), worker, log)
        return worker

    def refused(self, *arguments: str, **settings: str) -> tuple[int, str]:
        """Starts a process that is expected to exit; returns its exit code and output."""
        usual = self.settings
        self.settings = {**usual, **settings}
        try:
            child, log = self._start(*arguments)
        finally:
            self.settings = usual
        try:
            return child.wait(), log.read_text()
        finally:
            child.kill()

    def kill(self, victim: "Child | Engine") -> Callable[[], Any]:
        """Kills the process with SIGKILL; the returned function starts a replacement. A server
        starts its engine again by itself, and its end is the engine's.
        """
        if isinstance(victim, Engine):
            victim.kill()
            return lambda: None
        engine = self.engine if victim is self.server else None
        victim.kill()
        if engine is not None:
            engine.wait()
        if victim is self.server:
            return self.start_server
        self.workers.remove(victim)
        return self.start_worker

    def close(self) -> None:
        for child in self.processes:
            child.kill()
        self.client.close()

    def _start(self, *arguments: str) -> tuple[Child, Path]:
        self._logs += 1
        log = self.folder / f"{self._logs:03}.log"
        log.touch()
        orders = Orders(
            arguments=arguments,
            environment=self.settings,
            log=log,
            pace=self.pace,
            twin=self.twin,
            clock_file=self.clock_file,
        )
        return Child(ZYGOTE.Process(target=process.run, args=(orders,), daemon=True)), log

    @staticmethod
    def _wait(look: Callable[[], Any], child: Child, log: Path) -> Any:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline and child.is_running:
            if found := look():
                return found
            time.sleep(LOOK_SECONDS)
        raise AssertionError(f"It did not start:\n{log.read_text()}")

    def ask(self, method: str, path: str, **body: Any) -> Any:
        response = self.client.request(method, f"/api/v1{path}", json=body or None)
        if not response.is_success:
            raise Refused(response)
        return response.json() if response.content else None

    def settle_in(self) -> None:
        """Creates a user, a token, a project, a prompt, and two models of two providers."""
        self.ask("POST", "/auth/register", **PERSON)
        self.client.headers["X-CSRF-Token"] = self.client.cookies["edison_csrf"]
        made = self.ask("POST", "/auth/tokens", name="torture", scope="admin")
        self.client.cookies.clear()
        self.client.headers["Authorization"] = f"Bearer {made['token']}"
        self.ask("POST", "/projects", name="Engine")
        prompt = self.ask("POST", "/projects/engine/prompts", name="Find", text=TEXT)
        for model, key in zip(MODELS, KEYS, strict=True):
            made = self._add_model(model, key)
            self.variants.append(
                {"prompt_id": prompt["id"], "model_id": made["id"], "parameters": PARAMETERS}
            )

    def _add_model(self, model: str, key: str) -> Any:
        credential = self.ask(
            "POST",
            "/projects/engine/credentials",
            provider="openai_compatible",
            label=model,
            settings={"base_url": self.provider.url},
            secrets={"api_key": {"value": key}},
        )
        return self.ask(
            "POST",
            "/projects/engine/models",
            credential_id=credential["id"],
            provider_model=model,
            prices=PRICES,
        )

    def add_budget(self, usd: str) -> str:
        made = self.ask("POST", "/projects/engine/budgets", period="total", limit_usd=usd)
        return str(made["id"])

    def start_run(self, *, cases: int, prefix: str = "thing", **changes: Any) -> str:
        """Bypasses the cache, so that each cell needs a request."""
        body = {
            "variants": self.variants,
            "inputs": [{"thing": f"{prefix} {number}"} for number in range(cases)],
            "scorers": [{"kind": "contains", "options": {"phrases": ["Answer"]}}],
            "is_cache_bypassed": True,
            **changes,
        }
        return str(self.ask("POST", "/projects/engine/runs", **body)["id"])

    def start_watched_run(self, *, cases: int, prefix: str) -> str:
        """Starts a playground run, whose answers are streamed."""
        dataset = self.ask("POST", "/projects/engine/datasets", name=prefix)
        for number in range(cases):
            inputs = {"thing": f"{prefix} {number}"}
            path = f"/projects/engine/datasets/{dataset['id']}/cases"
            self.ask("POST", path, inputs=inputs)
        columns = [
            {"model_id": each["model_id"], "parameters": each["parameters"]}
            for each in self.variants
        ]
        body = {
            "prompt_id": self.variants[0]["prompt_id"],
            "columns": columns,
            "dataset_id": dataset["id"],
            "scorers": [{"kind": "contains", "options": {"phrases": ["Answer"]}}],
            "is_cache_bypassed": True,
        }
        return str(self.ask("POST", "/projects/engine/playground/runs", **body)["id"])

    def run(self, run_id: str) -> dict[str, Any]:
        return dict(self.ask("GET", f"/projects/engine/runs/{run_id}"))

    def steer(self, run_id: str, how: str) -> httpx.Response:
        return self.client.post(f"/api/v1/projects/engine/runs/{run_id}/{how}")

    def until(
        self,
        run_id: str,
        is_so: Callable[[dict[str, Any]], bool],
        *,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> dict[str, Any]:
        """Waits until the condition holds; returns the run."""
        deadline = time.monotonic() + patience_seconds
        while not is_so(found := self.run(run_id)):
            if time.monotonic() > deadline:
                raise Stuck(found, self.log[-4000:])
            time.sleep(LOOK_SECONDS)
        return found

    def finish(self, run_id: str, *, patience_seconds: float = PATIENCE_SECONDS) -> dict[str, Any]:
        return self.until(
            run_id, lambda run: run["state"] in ENDED, patience_seconds=patience_seconds
        )


class Refused(AssertionError):
    """A request that should have succeeded was refused."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__(response.text)
        self.status = response.status_code


class Stuck(AssertionError):
    """A run that should have made progress did not."""


Install = Callable[..., Installation]


@contextmanager
def installed(installation: Installation, *, workers: int = 2) -> Iterator[Installation]:
    try:
        installation.start(workers=workers)
        installation.settle_in()
        yield installation
    finally:
        installation.close()
