"""A complete installation for benchmarks of runs: a server, on PostgreSQL also workers, a separate
model server, and generated cases. Everything measured runs in other processes.
"""

import asyncio
import json
import os
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx

from benchmarks import watched_server
from benchmarks.server import WIDE_OPEN, edison
from edison.db import migrate
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.library.datasets import service as datasets
from edison.library.datasets.schemas.datasets import CaseRequest

CONCURRENCY = 100
CASES_AT_ONCE = 500
# Polling costs the server as much as a few cells.
LOOK_SECONDS = 1.0
START_SECONDS = 120
PERSON = {"email": "bench@example.org", "password": "Analytical-Engine-1843!"}
PRICES = {"input_usd_per_million": "2.5", "output_usd_per_million": "10"}
PROMPT = "Answer the customer in one sentence. Question: {{question}}"
# Never used up; spending is counted against it.
BUDGET = {"period": "total", "limit_usd": "100000"}
# Computed locally, without a model call.
CHECK = {"kind": "contains", "options": {"phrases": ["Paris"]}}
ENDED = ("completed", "failed", "cancelled")
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """Measurements of a run: `seconds` of execution, `cpu_seconds` of all its processes,
    `creating_seconds` of creating the run.
    """

    run_id: str
    cells: int
    seconds: float
    cpu_seconds: float
    creating_seconds: float

    @property
    def cells_per_second(self) -> float:
        return self.cells / self.seconds

    @property
    def cpu_microseconds(self) -> float:
        return self.cpu_seconds / self.cells * 1e6


@dataclass(slots=True, kw_only=True)
class Installation:
    folder: Path
    database_url: str
    client: httpx.Client
    server: "subprocess.Popen[str]"
    workers: list["subprocess.Popen[str]"] = field(default_factory=list)
    person_id: str = ""
    project_id: str = ""
    prompt_id: str = ""
    dataset_ids: dict[int, str] = field(default_factory=dict)
    runs: int = 0

    @property
    def url(self) -> str:
        return str(self.client.base_url)

    def ask(self, method: str, path: str, **body: Any) -> Any:
        response = self.client.request(method, f"/api/v1{path}", json=body or None)
        assert response.is_success, response.text
        return response.json() if response.content else None

    def settle_in(self) -> None:
        self.person_id = self.ask("POST", "/auth/register", **PERSON)["user"]["id"]
        self.client.headers["X-CSRF-Token"] = self.client.cookies["edison_csrf"]
        made = self.ask("POST", "/auth/tokens", name="bench", scope="admin")
        self.client.cookies.clear()
        self.client.headers["Authorization"] = f"Bearer {made['token']}"
        self.project_id = self.ask("POST", "/projects", name="Bench")["id"]
        self.ask("POST", "/projects/bench/budgets", **BUDGET)
        made = self.ask("POST", "/projects/bench/prompts", name="Reply", text=PROMPT)
        self.prompt_id = made["id"]

    def add_model(self, name: str, url: str) -> str:
        """Adds a model with its own credential, and so its own concurrency limit."""
        credential = self.ask(
            "POST",
            "/projects/bench/credentials",
            provider="openai_compatible",
            label=f"{name} at {url}",
            settings={"base_url": url},
        )
        made = self.ask(
            "POST",
            "/projects/bench/models",
            credential_id=credential["id"],
            provider_model=name,
            prices=PRICES,
        )
        return str(made["id"])

    def start_run(
        self, model_ids: Sequence[str], cases: int, *, scorers: Sequence[Any] = (CHECK,)
    ) -> str:
        """Starts a run of new questions, all of which miss the answer cache."""
        self.runs += 1
        variants = [
            {
                "prompt_id": self.prompt_id,
                "model_id": model_id,
                "parameters": {"max_tokens": 256, "seed": self.runs},
                "label": f"Variant {number}",
            }
            for number, model_id in enumerate(model_ids)
        ]
        made = self.ask(
            "POST",
            "/projects/bench/runs",
            variants=variants,
            dataset_id=self.dataset_of(cases),
            scorers=list(scorers),
        )
        return str(made["id"])

    def run(self, model_ids: Sequence[str], cases: int, **changes: Any) -> Took:
        self.dataset_of(cases)
        cpu, started = self.cpu_seconds(), time.perf_counter()
        run_id = self.start_run(model_ids, cases, **changes)
        created = time.perf_counter()
        run = self.finish(run_id)
        return Took(
            run_id=run_id,
            cells=cases * len(model_ids),
            seconds=run["elapsed_seconds"],
            cpu_seconds=self.cpu_seconds() - cpu,
            creating_seconds=created - started,
        )

    def rescore(self, run_id: str, scorers: Sequence[Any]) -> float:
        """Adds scorers to a completed run. Returns the seconds of its execution."""
        self.ask("POST", f"/projects/bench/runs/{run_id}/rescore", scorers=list(scorers))
        return float(self.finish(run_id)["elapsed_seconds"])

    def steer(self, run_id: str, how: str) -> None:
        self.ask("POST", f"/projects/bench/runs/{run_id}/{how}")

    def get_run(self, run_id: str) -> Any:
        return self.ask("GET", f"/projects/bench/runs/{run_id}")

    def finish(self, run_id: str) -> Any:
        while (run := self.get_run(run_id))["state"] not in ENDED:
            time.sleep(LOOK_SECONDS)
        assert run["state"] == "completed", run["message"]
        assert run["error_count"] == 0, run
        return run

    def cpu_seconds(self) -> float:
        """CPU time of the server, its engine, and its workers."""
        return sum(_cpu_seconds(pid) for pid in self._process_ids())

    def memory_bytes(self) -> int:
        """Memory of the server and its engine; what they share counts once."""
        return sum(_memory_bytes(pid) for pid in _with_children(self.server.pid))

    def _process_ids(self) -> list[int]:
        return [*_with_children(self.server.pid), *(each.pid for each in self.workers)]

    def start_server(self) -> None:
        self.server, self.client.base_url = _start_server(self.folder, self.database_url)

    def start_worker(self) -> None:
        self.workers.append(_start(self.folder, self.database_url, "worker"))

    def stop(self) -> None:
        for process in (*self.workers, self.server):
            process.terminate()
        for process in (*self.workers, self.server):
            process.wait()
        self.client.close()

    def dataset_of(self, cases: int) -> str:
        if cases not in self.dataset_ids:
            name = f"{cases} questions"
            made = self.ask("POST", "/projects/bench/datasets", name=name, kind="manual")
            asyncio.run(self._add_cases(UUID(made["id"]), cases))
            self.dataset_ids[cases] = made["id"]
        return self.dataset_ids[cases]

    async def _add_cases(self, dataset_id: UUID, cases: int) -> None:
        """Writes to the database directly, so that it does not count in the server's memory."""
        async with self.database() as database:
            for first in range(0, cases, CASES_AT_ONCE):
                numbers = range(first, min(first + CASES_AT_ONCE, cases))
                wanted = [_case(number) for number in numbers]
                async with database.write() as session:
                    await datasets.add_cases(
                        session,
                        project_id=UUID(self.project_id),
                        dataset_id=dataset_id,
                        wanted=wanted,
                        author_id=UUID(self.person_id),
                    )

    @asynccontextmanager
    async def database(self) -> AsyncIterator[Database]:
        """The database of the server and its workers."""
        database = Database(open_engine(self.database_url, pooled=False))
        yield database
        await database.close()


def _case(number: int) -> CaseRequest:
    inputs = {"question": f"Where is parcel {number}?"}
    return CaseRequest(inputs=inputs, expected="Paris", tags=[])


@contextmanager
def installed(
    database_url: str | None = None, *, workers: int = 0, stalls: Path | None = None
) -> Iterator[Installation]:
    """Starts an installation, on SQLite unless `database_url` is given. The server notes in
    `stalls` how long its event loop is blocked.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = database_url or f"sqlite+aiosqlite:///{folder / 'edison.db'}"
        asyncio.run(migrate.upgrade(url, backup_dir=folder))
        server, address = _start_server(folder, url, stalls)
        client = httpx.Client(base_url=address, timeout=START_SECONDS)
        made = Installation(folder=folder, database_url=url, client=client, server=server)
        stack.callback(made.stop)
        made.settle_in()
        for _ in range(workers):
            made.start_worker()
        yield made


def _start_server(
    folder: Path, database_url: str, stalls: Path | None = None
) -> tuple["subprocess.Popen[str]", httpx.URL]:
    program = None if stalls is None else watched_server.program(stalls)
    process = _start(folder, database_url, "serve", "--no-open", "--port", "0", program=program)
    assert process.stdout is not None
    return process, httpx.URL(json.loads(process.stdout.readline())["url"])


def _start(
    folder: Path, database_url: str, *command: str, program: Sequence[str] | None = None
) -> "subprocess.Popen[str]":
    usual, *arguments = edison(folder, *command)
    return subprocess.Popen(
        [*(program or [usual]), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={
            **os.environ,
            **WIDE_OPEN,
            "EDISON_DATABASE_URL": database_url,
            "EDISON_ALLOW_PRIVATE_ADDRESSES": "true",
            "EDISON_CALLS_PER_CREDENTIAL": str(CONCURRENCY),
        },
    )


def _with_children(process_id: int) -> list[int]:
    children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
    return [process_id, *map(int, children)]


def _memory_bytes(process_id: int) -> int:
    """Its own memory and its part of shared memory (`man proc_pid_smaps`)."""
    sums = Path(f"/proc/{process_id}/smaps_rollup").read_text().splitlines()
    return 1024 * int(next(line for line in sums if line.startswith("Pss:")).split()[1])


def _cpu_seconds(process_id: int) -> float:
    """User and system time. The second field of `stat` is the name, which contains no `)`."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND
