"""A run of 10,000 cases by four variants: server memory, and API latency during the run."""

import threading
import time
from collections.abc import Sequence
from itertools import cycle

from benchmarks.engine_installation import Installation, installed
from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.model_server import running_model

CASES = 10_000
VARIANTS = 4
REQUESTS_PER_SECOND = 10
MEMORY_BYTES = 400_000_000
LATENCY_SECONDS = 0.1


def measure() -> list[Figure]:
    with running_model(0) as url, installed() as edison:
        models = [edison.add_model(f"model-{number}", url) for number in range(VARIANTS)]
        before = edison.peak_memory_bytes()
        with Requests(edison) as requests:
            took = edison.run(models, CASES)
        memory = edison.peak_memory_bytes()
    p95 = percentile(requests.seconds, 0.95)
    return [
        Figure(
            name=f"{CASES:,} x {VARIANTS} cells, memory of the server at most",
            value=f"{memory / 1e6:,.0f} MB ({before / 1e6:,.0f} MB before)",
            target=f"< {MEMORY_BYTES / 1e6:.0f} MB",
            is_met=memory < MEMORY_BYTES,
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


class Requests:
    """A client that reads during the run, in a thread."""

    def __init__(self, edison: Installation) -> None:
        self.seconds: list[float] = []
        self._edison = edison
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._keep_reading)

    def __enter__(self) -> "Requests":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _keep_reading(self) -> None:
        """Sends requests sequentially, like one user."""
        paths: Sequence[str] = ("/projects/bench/runs", "/projects/bench/prompts", "/projects")
        for path in cycle(paths):
            if self._is_over.wait(1 / REQUESTS_PER_SECOND):
                return
            started = time.perf_counter()
            self._edison.ask("GET", path)
            self.seconds.append(time.perf_counter() - started)
