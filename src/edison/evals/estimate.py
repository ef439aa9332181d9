"""What an evaluation would take: calls, dollars and seconds. Nothing is asked or stored."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from edison.db.session import Database
from edison.evals.cells import CellGroup
from edison.evals.graders import graders_by_key
from edison.evals.plan import EvalPlan
from edison.evals.register import Registry, find_or_add_project
from edison.evals.start import Starter
from edison.kit.lazy_dataclasses import dataclass
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import RunEstimate
from edison.workspace.credentials.vault import Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalEstimate:
    """The sums over the runs. Dollars are those of models with a known price."""

    answer_calls: int
    judge_calls: int
    low_usd: Decimal
    high_usd: Decimal
    low_seconds: float
    high_seconds: float
    is_simulated: bool
    unpriced_models: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateTerms:
    """`env` are the variables that configurations may name; `at_once` is the limit of calls."""

    project: str | None
    vault: Vault
    env: Mapping[str, str]
    at_once: int


async def estimate_evaluation(
    database: Database, plan: EvalPlan, groups: Sequence[CellGroup], *, terms: EstimateTerms
) -> EvalEstimate:
    """Raises ConfigError, also for a missing key."""
    async with database.rehearse() as session:
        home = await find_or_add_project(session, slug=terms.project)
        registry = Registry(session, project_id=home.id, vault=terms.vault, env=terms.env)
        graders = graders_by_key(plan)
        starter = Starter(session, plan, registry=registry, graders=graders, env=terms.env)
        surveys = [
            await run_plans.read_estimate_of_plan(
                session, project_id=home.id, plan=each, uses_cache=plan.is_cached
            )
            for each in await starter.plan_runs(groups)
        ]
        # What was read stays as it is when the rehearsal ends.
        session.expunge_all()
    return _sum([await run_plans.compute_estimate(each, at_once=terms.at_once) for each in surveys])


def _sum(found: Sequence[RunEstimate]) -> EvalEstimate:
    costs = [each.known_cost for each in found]
    high = sum((each.high_usd or Decimal(0) for each in costs), Decimal(0))
    simulated = [each.simulated_cost.high_usd or Decimal(0) for each in found]
    return EvalEstimate(
        answer_calls=sum(each.answer_calls for each in found),
        judge_calls=sum(each.judge_calls for each in found),
        low_usd=sum((each.low_usd or Decimal(0) for each in costs), Decimal(0)),
        high_usd=high,
        low_seconds=sum(each.seconds.low or 0.0 for each in found),
        high_seconds=sum(each.seconds.high or 0.0 for each in found),
        is_simulated=high > 0 and sum(simulated, Decimal(0)) == high,
        unpriced_models=sorted({name for each in found for name in each.unpriced_models}),
    )
