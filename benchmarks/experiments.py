"""Test data: a thousand experiments of three iterations each, and one of ten."""

import random
from typing import Any
from uuid import UUID

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.library.prompts.models import Prompt
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.schemas.drafts import ExperimentDraft
from edison.runs.store.models import Run

EXPERIMENTS = 1_000
ITERATIONS = 3
ITERATIONS_OF_LONG = 10
CRITERIA = ("Helpfulness", "Empathy", "Accuracy", "Conciseness")
VARIANTS = ("Small", "Medium")


async def add_experiments(session: AsyncSession, prompt: Prompt, run: Run) -> UUID:
    """Returns the id of the long experiment. All iterations reference the same run."""
    luck = random.Random(1)  # noqa: S311 - no secret
    draft = ExperimentDraft().model_dump(mode="json")
    draft["objective"]["goal"] = "Answer politely, in two sentences, with the facts at hand."
    experiments = [
        {
            "id": ids.new_id(),
            "project_id": prompt.project_id,
            "name": f"Experiment {number}",
            "state": "reviewing",
            "step": "limits",
            "prompt_id": prompt.id,
            "iteration_count": ITERATIONS_OF_LONG if number == 0 else ITERATIONS,
            "draft": draft,
            "config": draft,
            "pruned": [],
        }
        for number in range(EXPERIMENTS)
    ]
    iterations = [
        _iteration(experiment, number, run, luck)
        for experiment in experiments
        for number in range(1, experiment["iteration_count"] + 1)
    ]
    await session.execute(insert(Experiment), experiments)
    await session.execute(insert(Iteration), iterations)
    await session.execute(
        insert(Suggestion), [_suggestion(prompt.project_id, each) for each in iterations]
    )
    long_id: UUID = experiments[0]["id"]
    return long_id


def _iteration(
    experiment: dict[str, Any], number: int, run: Run, luck: random.Random
) -> dict[str, Any]:
    now = clock.now()
    return {
        "id": ids.new_id(),
        "experiment_id": experiment["id"],
        "number": number,
        "state": "reviewing" if number == experiment["iteration_count"] else "completed",
        "version_label": f"v{number}",
        "run_id": run.id,
        "created_at": now,
        "started_at": now,
        "phases": {"executing": now.isoformat(), "reviewing": now.isoformat()},
        "config": experiment["draft"],
        "metrics": _metrics(luck),
    }


def _metrics(luck: random.Random) -> dict[str, Any]:
    variants = [
        {
            "key": f"{ids.new_id()}:",
            "label": f"Reply v1 · {name}",
            "model_id": str(ids.new_id()),
            "model_name": name,
            "is_simulated": True,
            "train": _mean(luck),
            "holdout": _mean(luck),
            "win_rate": _mean(luck),
            "cost_usd": "0.0029104",
            "cost_per_answer_usd": "0.00029104",
            "latency_p50_seconds": luck.random(),
            "failed": 0,
        }
        for name in VARIANTS
    ]
    criteria = [
        {"key": f"s0.{at}", "name": name, "weight": 0.25, "mean": luck.random()}
        for at, name in enumerate(CRITERIA)
    ]
    return {
        "train": _mean(luck),
        "holdout": _mean(luck),
        "change": None,
        "against_first": None,
        "variants": variants,
        "criteria": criteria,
        "answers": 36,
        "failed": 0,
        "malformed": 0,
        "safety_findings": 0,
        "unscored": 0,
        "is_unjudged": False,
        "execution_tokens": 4_209,
        "judging_tokens": 43_307,
        "execution_nanos": 6_575_200,
        "judging_nanos": 182_913_000,
        "sampling": None,
    }


def _mean(luck: random.Random) -> dict[str, Any]:
    value = luck.random()
    return {"value": value, "interval": {"low": value * 0.9, "high": value}, "cases": 10}


def _suggestion(project_id: UUID, iteration: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": ids.new_id(),
        "project_id": project_id,
        "experiment_id": iteration["experiment_id"],
        "iteration_id": iteration["id"],
        "number": 1,
        "origin": "refiner",
        "state": "pending" if iteration["state"] == "reviewing" else "approved",
        "created_at": clock.now(),
        "note": "Says more.",
        "diff": "",
        "parts": {"text": "Answer the question below as well as you can, please. " * 20},
        "targets": [{"key": "s0.1", "name": "Empathy", "mean": 0.4}],
        "exemplars": [],
        "violations": [],
    }
