"""Stores results that a program measured itself, as completed runs: no model is called."""

import hashlib
import json
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison import __version__
from edison.db.session import Database
from edison.evals.models import Evaluation
from edison.evals.repository import Evaluations
from edison.evals.schemas import EvaluationRead, MeasuredCell, MeasuredResults, MeasuredRun
from edison.evals.service import get_evaluation
from edison.jobs.job import Priority
from edison.kit import clock, ids
from edison.pipeline.score.scorer import Flag
from edison.runs.fill.aggregate import aggregate_run
from edison.runs.plan.snapshot import case_row
from edison.runs.plan.types import PlannedCase
from edison.runs.store.models import EMPTY_TALLY
from edison.runs.store.repository import Runs
from edison.runs.store.states import IMPORTED, RunCache, RunState
from edison.runs.store.totals import Totals
from edison.workspace.audit import service as audit

_SCORER_KIND = "custom_code"
_CODE = "def score(output, expected, inputs):\n    raise ValueError('Scored by a program.')\n"
_TEMPLATE: dict[str, Any] = {
    "syntax": "double",
    "system": None,
    "text": "",
    "few_shots": [],
    "tools": [],
}
_TASK_FAILED = "task_failed"
_NO_DIGEST = hashlib.sha256(b"").hexdigest()


async def store_results(
    database: Database, *, project_id: UUID, wanted: MeasuredResults, author_id: UUID
) -> EvaluationRead:
    """All runs or none. Their summaries are computed right after; if the server stops in between,
    another one does it.
    """
    async with database.write() as session:
        evaluation = Evaluation(
            id=ids.new_id(),
            project_id=project_id,
            name=wanted.name,
            fingerprint=hashlib.sha256(wanted.model_dump_json().encode()).hexdigest(),
            tags=wanted.tags,
            created_at=clock.now(),
        )
        await Evaluations(session).add(evaluation)
        run_ids = [
            await _store_run(session, each, project_id=project_id, author_id=author_id)
            for each in wanted.runs
        ]
        await Evaluations(session).add_runs(evaluation.id, run_ids)
        audit.record(
            session,
            "evaluation.stored",
            entity=("evaluation", evaluation.id),
            project_id=project_id,
            after={"name": wanted.name, "runs": len(run_ids)},
        )
    for run_id in run_ids:
        await aggregate_run(database, run_id)
    async with database.read() as session:
        return await get_evaluation(session, project_id=project_id, evaluation_id=evaluation.id)


async def _store_run(
    session: AsyncSession, wanted: MeasuredRun, *, project_id: UUID, author_id: UUID
) -> UUID:
    run_id, now = ids.new_id(), clock.now()
    cases: dict[str, MeasuredCell] = {}
    for row in wanted.rows:
        cases.setdefault(_key(row), row)
    repeats = max(row.repeat for row in wanted.rows) + 1
    places = {key: at for at, key in enumerate(cases)}
    outputs, scores = _results(run_id, wanted, places)
    await Runs(session).add(
        {
            **EMPTY_TALLY,
            "unconfirmed_nanos": 0,
            "id": run_id,
            "project_id": project_id,
            "name": wanted.name,
            "origin": IMPORTED,
            "priority": int(Priority.NORMAL),
            "state": RunState.AGGREGATING,
            "lock_key": None,
            "author_id": author_id,
            "scope_ids": [],
            "repeats": repeats,
            "case_count": len(cases),
            "variant_count": 1,
            "scorer_count": len(wanted.scorers),
            "cell_count": len(cases) * repeats,
            "comparison_total": 0,
            "chunk_size": len(cases),
            "cache_mode": RunCache.BYPASS,
            "failed_count_zero": False,
            "code_version": __version__,
            "last_number": len(outputs) + len(scores),
            "created_at": now,
            "started_at": now,
            "active_seconds": sum(row.seconds for row in wanted.rows),
            "phases": {},
        },
        variants=[_variant(run_id, wanted.name)],
        scorers=[_scorer(run_id, at, name) for at, name in enumerate(wanted.scorers)],
        cases=[case_row(run_id, at, _case(row)) for at, row in enumerate(cases.values())],
        chunks=[],
    )
    await Evaluations(session).add_results(outputs, scores)
    await Totals(session).recount(run_id)
    return run_id


def _key(row: MeasuredCell) -> str:
    if row.id is not None:
        return f"id:{row.id}"
    return json.dumps(row.inputs, sort_keys=True)


def _variant(run_id: UUID, name: str) -> dict[str, Any]:
    return {
        **EMPTY_TALLY,
        "id": ids.new_id(),
        "run_id": run_id,
        "position": 0,
        "label": name,
        "prompt_name": name,
        "version_label": "program",
        "model_name": name,
        "provider": "local_code",
        "is_simulated": False,
        "parameters": {},
        "template": _TEMPLATE,
    }


def _scorer(run_id: UUID, position: int, name: str) -> dict[str, Any]:
    return {
        "id": ids.new_id(),
        "run_id": run_id,
        "position": position,
        "kind": _SCORER_KIND,
        "label": name,
        "weight": 1.0,
        "threshold": None,
        "is_negated": False,
        "options": {"code": _CODE},
    }


def _case(row: MeasuredCell) -> PlannedCase:
    return PlannedCase(
        inputs=row.inputs if isinstance(row.inputs, dict) else {"input": row.inputs},
        expected=None if row.expected is None else _text(row.expected),
    )


def _results(
    run_id: UUID, wanted: MeasuredRun, places: dict[str, int]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Outputs and scores. Of rows for the same case and repeat, the last one counts."""
    latest = {(places[_key(row)], row.repeat): row for row in wanted.rows}
    outputs, scores, number, now = [], [], 0, clock.now()
    for (position, repeat), row in sorted(latest.items(), key=lambda item: item[0]):
        number += 1
        output_id, has_failed = ids.new_id(), row.error is not None
        outputs.append(
            {
                "id": output_id,
                "run_id": run_id,
                "case_position": position,
                "variant_position": 0,
                "repeat": repeat,
                "number": number,
                "status": "error" if has_failed else "ok",
                "error": _TASK_FAILED if has_failed else None,
                "is_cached": False,
                "is_fallback": False,
                "attempts": 1,
                "cost_nanos": 0,
                "latency_seconds": row.seconds,
                "waited_seconds": 0.0,
                "prompt_digest": _NO_DIGEST,
                "cache_key": _NO_DIGEST,
                "created_at": now,
                "message": row.error,
                "text": None if has_failed else _text(row.output),
            }
        )
        for at, name in enumerate(wanted.scorers):
            score = row.scores.get(name)
            if score is None:
                continue
            number += 1
            scores.append(
                {
                    "id": ids.new_id(),
                    "run_id": run_id,
                    "output_id": output_id,
                    "scorer_position": at,
                    "number": number,
                    "value": score.value,
                    "flag": None if score.error is None else Flag.SCORER_FAILED,
                    "created_at": now,
                    "rationale": score.error or score.reason or None,
                }
            )
    return outputs, scores


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
