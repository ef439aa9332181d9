"""Read latency in a large project: 1,000 experiments, 1,000 runs, 100 versions of a prompt, and a
run of 10,000 cases by four variants. Requests pages in turns at a constant rate, and at a lower
rate searches and sorted lists, which scan all answers.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import count, cycle
from typing import Any, NamedTuple
from uuid import UUID

import aiohttp
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from benchmarks.api_latency import get, latencies, load
from benchmarks.cells import add_cells
from benchmarks.engine_installation import Installation, installed
from benchmarks.experiments import add_experiments
from benchmarks.figures import Figure, milliseconds, percentile
from edison.kit import ids
from edison.library.prompts.models import Prompt
from edison.runs.store.models import EMPTY_TALLY, Run, RunCase, RunScorer, RunVariant
from tests.factories.prompts import add_version
from tests.factories.runs import TEMPLATE, add_run

RUNS = 1_000
VERSIONS = 100
CASES = 10_000
VARIANTS = 4
CASES_AT_ONCE = 500
PAGES_PER_SECOND = 50
SEARCHES_PER_SECOND = 2
GOALS = {0.95: 0.1, 0.99: 0.25}
PAGES = {
    "runs": "/runs",
    "runs by name": "/runs?q=Run 99&sort=name",
    "versions": "/prompts/{prompt}/versions",
    "experiments": "/experiments",
    "experiment": "/experiments/{experiment}",
    "suggestions": "/suggestions",
    "run": "/runs/{run}",
    "first rows": "/runs/{run}/rows",
    "rows far down": "/runs/{run}/rows?after=9000",
    "results": "/runs/{run}/summary",
}
SEARCHES = {
    "rows with a failed cell": "/runs/{run}/rows?status=error",
    "rows that hold a word": "/runs/{run}/rows?q=number {turn}",
    "cells by score": "/runs/{run}/outputs?sort=-score",
}


def measure() -> list[Figure]:
    with installed() as edison:
        made = asyncio.run(_fill(edison))
        return [
            figure
            for what, paths, per_second in (
                ("Pages", PAGES, PAGES_PER_SECOND),
                ("Searches", SEARCHES, SEARCHES_PER_SECOND),
            )
            for figure in _figures(
                f"{what} of a large project, {per_second}/s",
                asyncio.run(_read(edison, made, paths, per_second)),
            )
        ]


def _figures(what: str, samples: Mapping[str, list[float]]) -> Iterator[Figure]:
    together = [each for some in samples.values() for each in some]
    yield from latencies(what, together, goals=GOALS)
    for name, some in samples.items():
        p50, p95 = (milliseconds(percentile(some, share)) for share in (0.5, 0.95))
        yield Figure(name=f"  of it: {name}", value=f"p50 {p50}, p95 {p95}")


async def _read(
    edison: Installation, made: "_Made", paths: Mapping[str, str], per_second: int
) -> Mapping[str, list[float]]:
    """Request durations in seconds, by name."""
    samples: dict[str, list[float]] = defaultdict(list)
    turns, numbers = cycle(paths.items()), count()
    loop = asyncio.get_running_loop()
    headers = {"Authorization": edison.client.headers["Authorization"]}
    async with aiohttp.ClientSession(base_url=edison.url, headers=headers) as client:

        async def ask() -> None:
            name, path = next(turns)
            # A new search word each time, to miss the cache.
            filled = path.format(**made._asdict(), turn=100 + next(numbers))
            begun = loop.time()
            await get(client, f"/api/v1/projects/bench{filled}")
            samples[name].append(loop.time() - begun)

        # Warm-up: one request each fills the caches.
        for _ in paths:
            await ask()
        samples.clear()
        await load(ask, per_second=per_second)
    return samples


class _Made(NamedTuple):
    """Ids of the large run, of the prompt with many versions, and of a long experiment."""

    run: UUID
    prompt: UUID
    experiment: UUID


async def _fill(edison: Installation) -> _Made:
    project_id = UUID(edison.project_id)
    async with edison.database() as database:
        async with database.write() as session:
            prompt = await session.get_one(Prompt, UUID(edison.prompt_id))
            for number in range(VERSIONS):
                await add_version(session, prompt, text=f"Answer number {number}: {{{{question}}}}")
            for number in range(RUNS):
                await add_run(session, project_id, name=f"Run {number}")
            large = await add_run(session, project_id, **_large())
            await _add_rest(session, large)
            experiment_id = await add_experiments(session, prompt, large)
        numbers = count(1)
        for first in range(0, CASES, CASES_AT_ONCE):
            async with database.write() as session:
                await add_cells(
                    session,
                    large.id,
                    range(first, first + CASES_AT_ONCE),
                    numbers,
                    variants=VARIANTS,
                    write=_write_answer,
                )
    return _Made(run=large.id, prompt=prompt.id, experiment=experiment_id)


def _large() -> dict[str, Any]:
    cells = CASES * VARIANTS
    return {
        "name": "Large",
        "case_count": CASES,
        "variant_count": VARIANTS,
        "scorer_count": 1,
        "cell_count": cells,
        "done_count": cells,
        "score_count": cells,
        "last_number": 2 * cells,
    }


async def _add_rest(session: AsyncSession, run: Run) -> None:
    """Adds the large run's other cases and variants."""
    await session.execute(
        insert(RunVariant),
        [
            {
                **EMPTY_TALLY,
                "id": ids.new_id(),
                "run_id": run.id,
                "position": position,
                "label": f"Variant {position}",
                "prompt_name": "Reply",
                "version_label": "v1",
                "model_name": "Model",
                "provider": "sim",
                "is_simulated": True,
                "parameters": {},
                "template": TEMPLATE,
            }
            for position in range(1, VARIANTS)
        ],
    )
    await session.execute(
        insert(RunScorer),
        {
            "id": ids.new_id(),
            "run_id": run.id,
            "position": 0,
            "kind": "word_overlap",
            "label": "Word overlap",
            "weight": 1.0,
            "threshold": 0.5,
            "is_negated": False,
            "options": {},
        },
    )
    await session.execute(
        insert(RunCase),
        [
            {
                "run_id": run.id,
                "position": position,
                "tags": [f"tag {position % 12}"],
                "inputs": {"question": f"Where is parcel number {position}?"},
                "expected": "In Paris.",
            }
            for position in range(1, CASES)
        ],
    )


def _write_answer(luck: random.Random, position: int, _variant: int) -> tuple[str, str]:
    text = f"Parcel number {position} is in Paris. " * luck.randint(2, 20)
    return ("error" if position % 500 == 7 else "ok"), text
