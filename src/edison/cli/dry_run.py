"""`edison eval --dry-run`: what would be evaluated, and what it would take."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from edison.cli.context import Context

if TYPE_CHECKING:
    from edison.cli.eval_engine import EvalEngine
    from edison.evals.estimate import EvalEstimate
    from edison.evals.plan import EvalPlan


@contextmanager
def existing_data(context: Context) -> Iterator[Context]:
    """The same data directory, or one that is deleted afterwards if there is none yet."""
    path = context.settings().sqlite_path
    if path is None or path.exists():
        yield context
        return
    with tempfile.TemporaryDirectory(prefix="edison-dry-run-") as folder:
        yield replace(context, data_dir=Path(folder))


async def estimate_plan(
    engine: "EvalEngine", plan: "EvalPlan", *, project: str | None, at_once: int
) -> "EvalEstimate":
    """Raises ConfigError."""
    from edison.cli.eval_engine import renders_json
    from edison.evals.cells import group_cells
    from edison.evals.estimate import EstimateTerms, estimate_evaluation
    from edison.evals.local_code import functions_of
    from edison.pipeline.generate.local_functions import local_functions
    from edison.pipeline.score.assertions.trusted import PythonProcess

    python, env = PythonProcess(), {**engine.env, **plan.env}
    groups = await group_cells(plan, python=python, renders_json=renders_json(env))
    terms = EstimateTerms(project=project, vault=engine.vault, env=env, at_once=at_once)
    with local_functions(functions_of(groups, python=python, env=env)):
        return await estimate_evaluation(engine.database, plan, groups, terms=terms)


def describe(
    context: Context, plan: "EvalPlan", estimate: "EvalEstimate | None", obstacle: str | None
) -> None:
    """`obstacle` is why there is no estimate."""
    tests = len({row.test_index for row in plan.rows})
    names = list(dict.fromkeys(each.provider.name for each in plan.columns))
    labels = list(dict.fromkeys(each.prompt.label for each in plan.columns))
    asserted = sum(len(row.test.assertions) for row in plan.rows)
    told = f"No estimate: {obstacle}" if estimate is None else _told(estimate)
    context.report(
        f"{len(labels)} prompts, {len(names)} providers, {tests} tests: {len(plan.rows)} answers, "
        f"{asserted} assertions. Nothing was asked.\n{escape(told)}",
        prompts=labels,
        providers=names,
        tests=tests,
        answers=len(plan.rows),
        assertions=asserted,
        warnings=list(plan.warnings),
        estimate=None if estimate is None else asdict(estimate),
        obstacle=obstacle,
    )


def _told(estimate: "EvalEstimate") -> str:
    dollars = "simulated dollars" if estimate.is_simulated else "dollars"
    told = (
        f"Estimate: {estimate.answer_calls:,} calls for answers, {estimate.judge_calls:,} for "
        f"grading; {estimate.low_usd:.4f} to {estimate.high_usd:.4f} {dollars}; "
        f"{estimate.low_seconds:,.0f} to {estimate.high_seconds:,.0f} s."
    )
    if estimate.unpriced_models:
        told += f" Without the cost of {', '.join(estimate.unpriced_models)}: not known."
    return told
