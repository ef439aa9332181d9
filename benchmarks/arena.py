"""The arena: boards over 100,000 outputs, blind votes, ratings and ranks in simulated worlds, and
judged questions.
"""

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from itertools import count
from uuid import UUID

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncSession

from benchmarks.arena_worlds import measure_ranks, measure_ratings
from benchmarks.cells import add_cells
from benchmarks.engine_installation import Installation, installed
from benchmarks.figures import Figure, milliseconds, percentile
from edison.kit import ids
from edison.runs.plan.types import AS_IS
from edison.runs.store.models import EMPTY_TALLY, RunCase, RunScorer, RunVariant
from tests.factories.runs import TEMPLATE, add_run

MODELS = 5
RUNS = 5
CASES = 4_000
CASES_AT_ONCE = 500
REQUESTS = 100
VOTES = 2_000
QUESTIONS = 10_000
BOARD_SECONDS, FIRST_BOARD_SECONDS, VOTE_SECONDS = 0.3, 3.0, 0.15
AUC_REACH = 0.03
WORDS = ("parcel", "late", "refund", "carrier", "customs", "week", "office", "letter")


def measure() -> list[Figure]:
    with installed() as edison:
        model_ids = _add_models(edison)
        dataset_id = edison.ask("POST", "/projects/bench/datasets", name="Board")["id"]
        owners: dict[str, int] = {}
        run_id = asyncio.run(_fill(edison, UUID(dataset_id), model_ids, owners))
        return [
            *_boards(edison, dataset_id),
            *_votes(edison, run_id, owners),
            *_questions(edison, model_ids[0]),
            *measure_ratings(),
            *measure_ranks(),
        ]


def _add_models(edison: Installation) -> list[str]:
    credential = edison.ask("POST", "/projects/bench/credentials", provider="sim", label="Sim")
    return [
        edison.ask(
            "POST",
            "/projects/bench/models",
            credential_id=credential["id"],
            provider_model="sim-large",
            display_name=f"Board model {number}",
        )["id"]
        for number in range(MODELS)
    ]


def _boards(edison: Installation, dataset_id: str) -> Iterator[Figure]:
    path = f"/projects/bench/arena/board?dataset_id={dataset_id}"
    cpu = edison.cpu_seconds()
    first = _timed(edison, path)
    yield Figure(
        name=f"Board over {RUNS * CASES * MODELS:,} outputs, nothing remembered",
        value=f"{first:.2f} s",
        ratio=f"{edison.cpu_seconds() - cpu:.2f} s CPU",
        target=f"< {FIRST_BOARD_SECONDS:.0f} s",
        is_met=first < FIRST_BOARD_SECONDS,
    )
    other = _timed(edison, f"{path}&tag=even")
    yield Figure(
        name="  with another filter, runs remembered",
        value=f"{other:.2f} s",
        target=f"< {FIRST_BOARD_SECONDS:.0f} s",
        is_met=other < FIRST_BOARD_SECONDS,
    )
    samples = [_timed(edison, path) for _ in range(REQUESTS)]
    p95 = percentile(samples, 0.95)
    yield Figure(
        name="  remembered, p95",
        value=milliseconds(p95),
        target=f"< {milliseconds(BOARD_SECONDS)}",
        is_met=p95 < BOARD_SECONDS,
    )


def _votes(edison: Installation, run_id: UUID, owners: dict[str, int]) -> Iterator[Figure]:
    wanted = {"run_id": str(run_id), "name": "Round", "matches": VOTES}
    made = edison.ask("POST", "/projects/bench/voting-rounds", **wanted)
    address = f"/api/v1/projects/bench/voting-rounds/{made['id']}"
    step = edison.ask("POST", f"/projects/bench/voting-rounds/{made['id']}/next")
    seconds, sizes, is_lower = list[float](), list[float](), list[bool]()
    while (match := step["match"]) is not None and len(seconds) < VOTES:
        body = {"choice": "first", "turn": match["turn"]}
        begun = time.perf_counter()
        answer = edison.client.post(f"{address}/matches/{match['id']}/vote", json=body)
        seconds.append(time.perf_counter() - begun)
        assert answer.is_success, answer.text
        step = answer.json()
        if (shown := step["match"]) is not None:
            sizes.append(len(answer.content))
            is_lower.append(owners[shown["first"]] < owners[shown["second"]])
    p95 = percentile(seconds, 0.95)
    yield Figure(
        name="Vote to the next pair, p95",
        value=milliseconds(p95),
        target=f"< {milliseconds(VOTE_SECONDS)}",
        is_met=p95 < VOTE_SECONDS,
    )
    for what, values in (("time", seconds[: len(is_lower)]), ("size", sizes)):
        auc = _auc(values, is_lower)
        yield Figure(
            name=f"AUC of a classifier that guesses the first model by response {what}",
            value=f"{auc:.3f}",
            ratio=f"{len(is_lower):,} pairs",
            target=f"0.5 ± {AUC_REACH}",
            is_met=abs(auc - 0.5) <= AUC_REACH,
        )


def _questions(edison: Installation, judge_id: str) -> Iterator[Figure]:
    """Simulated judges answer at once, so that this measures the engine and the report."""
    edison.ask("PATCH", f"/projects/bench/models/{judge_id}", limits={"concurrency": 100})
    panel = {
        "judge_text": "question-1",
        "judges": [judge_id],
        "criteria": [{"name": "Clarity", "description": "Understood in one way only."}],
    }
    begun = time.perf_counter()
    run = edison.ask(
        "POST",
        "/projects/bench/runs",
        variants=[{"question_variable": "question"}],
        dataset_id=edison.dataset_of(QUESTIONS),
        scorers=[{"kind": "judge_panel", "options": panel}],
    )
    address = f"/projects/bench/runs/{run['id']}"
    while run["state"] not in ("completed", "failed", "cancelled"):
        time.sleep(1)
        run = edison.ask("GET", address)
    took = time.perf_counter() - begun
    assert (run["state"], run["score_count"]) == ("completed", QUESTIONS), run["message"]
    yield Figure(name=f"{QUESTIONS:,} questions judged by one model", value=f"{took:.0f} s")
    first = _timed(edison, f"{address}/questions")
    samples = [_timed(edison, f"{address}/questions/rows") for _ in range(20)]
    p95 = percentile(samples, 0.95)
    yield Figure(
        name="  report, first and weakest rows p95",
        value=f"{first:.2f} s, {milliseconds(p95)}",
        target=f"< {FIRST_BOARD_SECONDS:.0f} s, < {milliseconds(BOARD_SECONDS)}",
        is_met=first < FIRST_BOARD_SECONDS and p95 < BOARD_SECONDS,
    )


def _timed(edison: Installation, path: str) -> float:
    begun = time.perf_counter()
    edison.ask("GET", path)
    return time.perf_counter() - begun


def _auc(values: Sequence[float], labels: Sequence[bool]) -> float:
    """The probability that a positive has the larger value; ties count half."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + end + 1) / 2
        start = end
    positives = [rank for rank, label in zip(ranks, labels, strict=True) if label]
    others = len(labels) - len(positives)
    least = len(positives) * (len(positives) + 1) / 2
    return (sum(positives) - least) / (len(positives) * others)


async def _fill(
    edison: Installation, dataset_id: UUID, model_ids: Sequence[str], owners: dict[str, int]
) -> UUID:
    """Returns the last run. `owners` gets the model of each of its answers."""

    def write_answer(luck: random.Random, _position: int, variant: int) -> tuple[str, str]:
        text = " ".join(luck.choices(WORDS, k=luck.randint(20, 60)))
        owners[text] = variant
        return "ok", text

    async with edison.database() as database:
        for number in range(RUNS):
            async with database.write() as session:
                run_id = await _add_run(session, edison, dataset_id, number)
                await _add_columns(session, run_id, number, model_ids)
            numbers = count(1)
            owners.clear()
            for first in range(0, CASES, CASES_AT_ONCE):
                async with database.write() as session:
                    span = range(first, first + CASES_AT_ONCE)
                    await add_cells(
                        session, run_id, span, numbers, variants=MODELS, write=write_answer
                    )
    return run_id


async def _add_run(
    session: AsyncSession, edison: Installation, dataset_id: UUID, number: int
) -> UUID:
    cells = CASES * MODELS
    run = await add_run(
        session,
        UUID(edison.project_id),
        name=f"Board {number}",
        dataset_id=dataset_id,
        case_count=CASES,
        variant_count=MODELS,
        scorer_count=1,
        cell_count=cells,
        done_count=cells,
        score_count=cells,
        last_number=2 * cells,
    )
    # The builder adds a variant of its own.
    await session.execute(delete(RunVariant).where(RunVariant.run_id == run.id))
    return run.id


async def _add_columns(
    session: AsyncSession, run_id: UUID, number: int, model_ids: Sequence[str]
) -> None:
    await session.execute(
        insert(RunVariant),
        [
            {
                **EMPTY_TALLY,
                "id": ids.new_id(),
                "run_id": run_id,
                "position": position,
                "label": f"Variant {position}",
                "prompt_name": "{{question}}",
                "version_label": AS_IS,
                "model_id": UUID(model_id),
                "model_name": f"Board model {position}",
                "provider": "sim",
                "is_simulated": True,
                "parameters": {},
                "template": TEMPLATE,
            }
            for position, model_id in enumerate(model_ids)
        ],
    )
    await session.execute(
        insert(RunScorer),
        {
            "id": ids.new_id(),
            "run_id": run_id,
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
                "run_id": run_id,
                "position": position,
                "tags": ["even"] if position % 2 == 0 else [],
                "inputs": {"question": f"Where is parcel {number}-{position}?"},
                "expected": "In Paris.",
            }
            for position in range(1, CASES)
        ],
    )
