"""Stored cells of a run: answers and scores as the engine would have written them."""

from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from uuid import UUID

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.runs.store.models import Output, Score


async def add_cells(
    session: AsyncSession,
    run_id: UUID,
    positions: range,
    numbers: Iterator[int],
    *,
    variants: int,
    write: Callable[[Random, int, int], tuple[str, str]],
) -> None:
    """`write` makes status and text of a cell from its case's position and its variant."""
    luck = Random(positions.start)  # noqa: S311 - no secret
    now = clock.now()
    outputs = []
    for position, variant in product(positions, range(variants)):
        status, text = write(luck, position, variant)
        outputs.append(
            {
                "id": ids.new_id(),
                "run_id": run_id,
                "case_position": position,
                "variant_position": variant,
                "repeat": 0,
                "number": next(numbers),
                "is_wanted_again": False,
                "status": status,
                "is_cached": False,
                "is_fallback": False,
                "attempts": 1,
                "cost_nanos": 1_000,
                "input_tokens": 20,
                "output_tokens": 60,
                "latency_seconds": luck.random(),
                "waited_seconds": 0.0,
                "prompt_digest": "0" * 64,
                "cache_key": "1" * 64,
                "created_at": now,
                "text": text,
            }
        )
    await session.execute(insert(Output), outputs)
    await session.execute(
        insert(Score),
        [
            {
                "id": ids.new_id(),
                "run_id": run_id,
                "output_id": output["id"],
                "scorer_position": 0,
                "number": next(numbers),
                "value": luck.random(),
                "is_passed": True,
                "cost_nanos": 0,
                "created_at": now,
            }
            for output in outputs
        ],
    )
