"""Builders for runs and outputs that bypass the engine."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.runs.store.models import EMPTY_TALLY, Output, Run, RunCase, RunVariant
from edison.runs.store.states import RunState

TEMPLATE = {"syntax": "double", "system": None, "text": "Hello", "few_shots": [], "tools": []}


async def add_run(session: AsyncSession, project_id: UUID, **values: Any) -> Run:
    """A finished run with one case and one variant whose model was deleted."""
    run = Run(
        **{
            **EMPTY_TALLY,
            "id": ids.new_id(),
            "project_id": project_id,
            "name": "A run",
            "origin": "api",
            "priority": 5,
            "state": RunState.COMPLETED,
            "scope_ids": [],
            "repeats": 1,
            "case_count": 1,
            "variant_count": 1,
            "scorer_count": 0,
            "cell_count": 1,
            "chunk_size": 1,
            "cache_mode": "use",
            "code_version": "0",
            "last_number": 0,
            "created_at": clock.now(),
            "phases": {},
        }
        | values
    )
    session.add(run)
    await session.flush()
    session.add(RunCase(run_id=run.id, position=0, inputs={}, tags=[]))
    session.add(
        RunVariant(
            **EMPTY_TALLY,
            id=ids.new_id(),
            run_id=run.id,
            position=0,
            label="Reply v1 · Gone",
            prompt_name="Reply",
            version_label="v1",
            model_name="Gone",
            provider="sim",
            is_simulated=True,
            parameters={},
            template=TEMPLATE,
        )
    )
    return run


async def add_output(session: AsyncSession, run: Run, **values: Any) -> Output:
    output = Output(
        **{
            "id": ids.new_id(),
            "run_id": run.id,
            "case_position": 0,
            "variant_position": 0,
            "repeat": 0,
            "number": 1,
            "status": "ok",
            "is_cached": False,
            "is_fallback": False,
            "attempts": 1,
            "cost_nanos": 1000,
            "waited_seconds": 0.0,
            "prompt_digest": "0" * 64,
            "cache_key": "1" * 64,
            "created_at": clock.now(),
            "text": "An answer.",
        }
        | values
    )
    session.add(output)
    await session.flush()
    return output
