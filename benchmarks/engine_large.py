"""A run of 10,000 cases by four variants: server memory, and API latency during the run."""

import threading
import time
from abc import ABC, abstractmethod
from itertools import cycle
from typing import Self

from benchmarks.engine_installation import Installation, installed
from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.model_server import running_model

CASES = 10_000
VARIANTS = 4
REQUESTS_PER_SECOND = 10
# Not more often: reading it holds the server up.
MEMORY_LOOKS_PER_SECOND = 2
MEMORY_BYTES = 400_000_000
LATENCY_SECONDS = 0.1


def measure() -> list[Figure]:
    with running_model(0) as url, installed() as edison:
        models = [edison.add_model(f"model-{number}", url) for number in range(VARIANTS)]
        before = edison.memory_bytes()
        with Requests(edison) as requests, Memory(edison) as memory:
            took = edison.run(models, CASES)
    p95 = percentile(requests.seconds, 0.95)
    return [
        Figure(
            name=f"{CASES:,} x {VARIANTS} cells, memory of the server at most",
            value=f"{memory.most / 1e6:,.0f} MB ({before / 1e6:,.0f} MB before)",
            target=f"< {MEMORY_BYTES / 1e6:.0f} MB",
            is_met=memory.most < MEMORY_BYTES,
        ),
        Figure(
            name="Writing down, then doing it",
            value=f"{took.creating_seconds:.1f} s, {took.seconds:.1f} s; "
            f"{took.cells_per_second:,.0f} cells/s, {took.cpu_microseconds:,.0f} µs CPU a cell",
        ),
        Figure(
            name="Reading meanwhile, one page after the other, p95",
            value=f"{milliseconds(p95)} (p50 {milliseconds(percentile(requests.seconds, 0.5))})",
            target=f"< {milliseconds(LATENCY_SECONDS)}",
            is_met=p95 < LATENCY_SECONDS,
        ),
    ]


class Meanwhile(ABC):
    """Repeated in a thread during the run."""

    def __init__(self, edison: Installation, *, per_second: float) -> None:
        self._edison = edison
        self._pause_seconds = 1 / per_second
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._repeat)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _repeat(self) -> None:
        while not self._is_over.wait(self._pause_seconds):
            self.look()

    @abstractmethod
    def look(self) -> None: ...


class Requests(Meanwhile):
    """Sends requests sequentially, like one user."""

    def __init__(self, edison: Installation) -> None:
        super().__init__(edison, per_second=REQUESTS_PER_SECOND)
        self.seconds: list[float] = []
        self._paths = cycle(("/projects/bench/runs", "/projects/bench/prompts", "/projects"))

    def look(self) -> None:
        started = time.perf_counter()
        self._edison.ask("GET", next(self._paths))
        self.seconds.append(time.perf_counter() - started)


class Memory(Meanwhile):
    def __init__(self, edison: Installation) -> None:
        super().__init__(edison, per_second=MEMORY_LOOKS_PER_SECOND)
        self.most = 0

    def look(self) -> None:
        self.most = max(self.most, self._edison.memory_bytes())
