"""An optimization in a running server: how long it blocks the event loop, and how fast its page is
with 32 candidates on 100 cases.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select

from benchmarks.engine_installation import Installation, installed
from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.simulated_models import running_simulation
from benchmarks.watched_server import Stall, read_stalls
from edison.kit import ids
from edison.loops.optimizations.models import OptimizationCandidate
from edison.simulation.casework import make_cases
from edison.simulation.data import Split
from edison.simulation.material import demo_tasks

TASK = "support"
CANDIDATES = 32
TRAIN, HOLDOUT = 100, 60
REQUESTS = 200
# Twice the default of a credential.
CALLS_AT_ONCE = 16
STALL_SECONDS, PAGE_SECONDS = 0.05, 0.15
IDLE_SECONDS = 5
LOOK_SECONDS = 1.0
PROJECT = "/projects/bench"
ENDED = ("completed", "failed", "cancelled", "paused")


def measure() -> list[Figure]:
    with TemporaryDirectory() as folder:
        stalls = Path(folder) / "stalls"
        with running_simulation() as url, installed(stalls=stalls) as edison:
            body = _prepare(edison, url)
            idle = _stalls_while(stalls, lambda: time.sleep(IDLE_SECONDS))
            made = edison.ask("POST", f"{PROJECT}/optimizations", **body)
            cpu, begun = edison.cpu_seconds(), time.perf_counter()
            busy = _stalls_while(stalls, lambda: _finish(edison, made["id"]))
            took = time.perf_counter() - begun
            used = edison.cpu_seconds() - cpu
            asyncio.run(_fill(edison, UUID(made["id"])))
            return [
                Figure(
                    name=f"Optimization on {TRAIN} cases, whole",
                    value=f"{took:.0f} s, {used:.0f} s of CPU",
                ),
                *_blocked(idle, busy),
                *_pages(edison, made["id"]),
            ]


def _prepare(edison: Installation, url: str) -> dict[str, Any]:
    """A project with simulated models, and the body of the optimization."""
    task = demo_tasks()[TASK]
    models = {name: edison.add_model(name, url) for name in ("sim-small", "sim-large")}
    for model_id in models.values():
        limits = {"concurrency": CALLS_AT_ONCE}
        edison.ask("PATCH", f"{PROJECT}/models/{model_id}", limits=limits)
    prompt = edison.ask("POST", f"{PROJECT}/prompts", name=task.name, text=task.starter)
    address = f"{PROJECT}/prompts/{prompt['id']}/versions"
    edison.ask("POST", address, version=prompt["draft"]["version"], changelog="First version.")
    dataset = edison.ask("POST", f"{PROJECT}/datasets", name="Searched")
    address = f"{PROJECT}/datasets/{dataset['id']}/cases"
    counts: dict[Split, int] = {"train": TRAIN, "holdout": HOLDOUT}
    for split, count in counts.items():
        for each in make_cases(TASK, count, "load", split=split):
            edison.ask("POST", address, inputs=each.inputs, expected=each.expected, split=split)
    criteria = [
        {"name": each.name, "description": each.description, "weight": each.weight}
        for each in task.rubric
    ]
    panel = {"judges": [models["sim-large"]], "goal": task.goal, "criteria": criteria}
    return {
        "name": "Load",
        "prompt_id": prompt["id"],
        "dataset_id": dataset["id"],
        "goal": task.goal,
        "models": [{"model_id": models["sim-small"]}],
        "scorers": [
            {"kind": "judge_panel", "options": panel},
            {"kind": "regex", "label": "Safety", "weight": 0, "options": {"pattern": "."}},
        ],
        "strategy": {
            "kind": "evolve",
            "options": {"model_id": models["sim-large"], "candidates": 15},
        },
        "generations": 2,
        "budget_usd": "500",
        "seed": 1,
    }


def _finish(edison: Installation, optimization_id: str) -> None:
    address = f"{PROJECT}/optimizations/{optimization_id}"
    found = edison.ask("POST", f"{address}/start")
    while found["state"] not in ENDED:
        time.sleep(LOOK_SECONDS)
        found = edison.ask("GET", address)
    assert (found["state"], found["outcome"]) == ("completed", "promoted"), found["message"]


def _stalls_while(file: Path, work: Callable[[], None]) -> list[Stall]:
    since = time.time()
    work()
    return read_stalls(file, since=since)


def _blocked(idle: Sequence[Stall], busy: Sequence[Stall]) -> Iterator[Figure]:
    """The clock also counts what other processes of the machine take; the CPU time does not."""
    floor = max((each.seconds for each in idle), default=0.0)
    cpu, clock = (
        max((getattr(each, name) for each in busy), default=0.0)
        for name in ("cpu_seconds", "seconds")
    )
    yield Figure(
        name="  event loop blocked at most, CPU time",
        value=milliseconds(cpu),
        target=f"< {milliseconds(STALL_SECONDS)}",
        is_met=cpu < STALL_SECONDS,
    )
    yield Figure(
        name="  event loop blocked at most, clock",
        floor=f"{milliseconds(floor)} (idle)",
        value=milliseconds(clock),
        ratio=f"{sum(each.seconds >= STALL_SECONDS for each in busy)} of 50 ms or more",
        target=f"< {milliseconds(STALL_SECONDS)}",
        is_met=clock < STALL_SECONDS,
    )


async def _fill(edison: Installation, optimization_id: UUID) -> None:
    """Copies the last candidate until there are as many as the page is measured with."""
    table = OptimizationCandidate.__table__
    async with edison.database() as database, database.write() as session:
        found = await session.execute(
            select(table)
            .where(OptimizationCandidate.optimization_id == optimization_id)
            .order_by(OptimizationCandidate.number)
        )
        rows = [dict(each._mapping) for each in found]
        assert len(rows[-1]["scores"]) == TRAIN
        copies = [
            rows[-1] | {"id": ids.new_id(), "number": number}
            for number in range(len(rows), CANDIDATES)
        ]
        if copies:
            await session.execute(insert(OptimizationCandidate), copies)


def _pages(edison: Installation, optimization_id: str) -> Iterator[Figure]:
    """What the page asks for, one after the other; and a candidate."""
    one = f"{PROJECT}/optimizations/{optimization_id}"
    floor = percentile(_timed(edison, ["/auth/me"]), 0.5)
    for name, paths in (
        (f"Page of {CANDIDATES} candidates on {TRAIN} cases", [one, f"{one}/activity?limit=12"]),
        ("  one of its candidates", [f"{one}/candidates/2"]),
    ):
        cpu = edison.cpu_seconds()
        samples = _timed(edison, paths)
        cpu = (edison.cpu_seconds() - cpu) / REQUESTS
        p95 = percentile(samples, 0.95)
        yield Figure(
            name=f"{name}, p95",
            floor=f"{milliseconds(floor)} (who am I, p50)",
            value=f"{milliseconds(p95)} (p50 {milliseconds(percentile(samples, 0.5))}, "
            f"CPU {milliseconds(cpu)})",
            ratio=f"{p95 / floor:.1f} x",
            target=f"< {milliseconds(PAGE_SECONDS)}",
            is_met=p95 < PAGE_SECONDS,
        )


def _timed(edison: Installation, paths: Sequence[str]) -> list[float]:
    samples = []
    for _ in range(REQUESTS):
        begun = time.perf_counter()
        for path in paths:
            edison.ask("GET", path)
        samples.append(time.perf_counter() - begun)
    return samples
