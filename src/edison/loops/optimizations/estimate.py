"""What an optimization costs: the baseline, one generation, and the test on held-out cases."""

from collections.abc import Sequence
from uuid import UUID

from edison.db.session import Database
from edison.kit.errors import Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import nanos_from_usd, usd_from_nanos
from edison.library.models.service import CallableModel
from edison.loops.optimizations.configure import (
    SearchCases,
    ValidOptimization,
    rename_problems,
    round_request,
    validate,
)
from edison.loops.optimizations.errors import BudgetTooSmall
from edison.loops.optimizations.schemas.configs import OptimizationConfig
from edison.loops.optimizations.schemas.drafts import OptimizationEstimate
from edison.pipeline.aggregate.alpha import alpha_of_look
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import EstimatedCost, RunEstimate
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.types import BudgetLeft

# A request of a strategy to a model: the prompt, the rubric and failing answers; and its reply.
_PROPOSAL_READS = 6_000
_PROPOSAL_WRITES = (300, 2_000)
# Base and stated rubric.
BASELINES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """Nano-dollars, real and simulated ones apart."""

    real: int = 0
    simulated: int = 0

    def plus(self, other: "Amount") -> "Amount":
        return Amount(real=self.real + other.real, simulated=self.simulated + other.simulated)

    def times(self, count: float) -> "Amount":
        return Amount(real=round(self.real * count), simulated=round(self.simulated * count))

    @property
    def total(self) -> int:
        return self.real + self.simulated

    def from_budget(self, budget: BudgetLeft) -> int:
        return self.total if budget.counts_simulated else self.real


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountRange:
    low: Amount
    high: Amount

    def plus(self, other: "AmountRange") -> "AmountRange":
        return AmountRange(low=self.low.plus(other.low), high=self.high.plus(other.high))

    def times(self, count: float) -> "AmountRange":
        return AmountRange(low=self.low.times(count), high=self.high.times(count))

    def read(self) -> EstimatedCost:
        return EstimatedCost(
            low_usd=usd_from_nanos(self.low.total), high_usd=usd_from_nanos(self.high.total)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchCost:
    """`candidate` is one candidate on all training cases, `proposals` the strategy's requests of a
    generation, `gate` the test of the finalist.
    """

    candidate: AmountRange
    proposals: AmountRange
    gate: AmountRange
    candidates: int

    @property
    def baseline(self) -> AmountRange:
        return self.candidate.times(BASELINES)

    @property
    def generation(self) -> AmountRange:
        return self.candidate.times(self.candidates).plus(self.proposals)

    @property
    def least(self) -> Amount:
        """What has to be there before anything starts."""
        return self.baseline.plus(self.generation).plus(self.gate).high


async def compute_cost(
    database: Database,
    *,
    project_id: UUID,
    wanted: OptimizationConfig,
    valid: ValidOptimization,
    author_id: UUID | None,
    at_once: int,
) -> SearchCost:
    """Counts tokens, so no transaction may be open. Raises Invalid."""
    rounds = []
    for case_ids, count in ((valid.cases.train, 1), (valid.cases.holdout, 2)):
        request = round_request(
            wanted,
            version_id=valid.version.id,
            case_ids=case_ids,
            candidates=count,
            is_cache_bypassed=True,
            is_gate=count > 1,
        )
        try:
            async with database.read() as session:
                survey = await run_plans.read_estimate_input(
                    session, project_id=project_id, wanted=request, author_id=author_id
                )
        except Invalid as found:
            raise rename_problems(found) from found
        rounds.append(_range(await run_plans.compute_estimate(survey, at_once=at_once)))
    count = valid.optimizer.most_proposals
    proposers = [model for field, model in valid.models if field.startswith("strategy.")]
    return SearchCost(
        candidate=rounds[0],
        gate=rounds[1],
        proposals=_proposals(proposers, count),
        candidates=count,
    )


def _range(estimate: RunEstimate) -> AmountRange:
    low, high = (
        Amount(real=_nanos(estimate, "known_cost", end) - simulated, simulated=simulated)
        for end in ("low_usd", "high_usd")
        for simulated in [_nanos(estimate, "simulated_cost", end)]
    )
    return AmountRange(low=low, high=high)


def _nanos(estimate: RunEstimate, name: str, end: str) -> int:
    amount = getattr(getattr(estimate, name), end)
    return 0 if amount is None else nanos_from_usd(amount)


def _proposals(models: Sequence[CallableModel], count: int) -> AmountRange:
    ends = []
    for tokens in _PROPOSAL_WRITES:
        total = Amount()
        for model in models:
            if model.prices is None:
                continue
            nanos = count * model.prices.worst_case_nanos(
                input_tokens=_PROPOSAL_READS, max_tokens=tokens
            )
            total = total.plus(
                Amount(simulated=nanos) if model.is_simulated else Amount(real=nanos)
            )
        ends.append(total)
    return AmountRange(low=ends[0], high=ends[1])


def check_budgets(found: Sequence[BudgetLeft], needed: Amount) -> None:
    """Raises BudgetTooSmall."""
    for each in found:
        nanos = needed.from_budget(each)
        if each.left_nanos < nanos:
            raise BudgetTooSmall(
                left_usd=usd_from_nanos(max(0, each.left_nanos)),
                needed_usd=usd_from_nanos(nanos),
                name=each.name,
            )


def is_affordable(found: Sequence[BudgetLeft], needed: Amount) -> bool:
    return all(each.left_nanos >= needed.from_budget(each) for each in found)


async def estimate_optimization(
    database: Database,
    *,
    project_id: UUID,
    wanted: OptimizationConfig,
    author_id: UUID,
    at_once: int,
) -> OptimizationEstimate:
    """Calls no model and writes nothing. Raises Invalid."""
    async with database.read() as session:
        valid = await validate(
            session,
            project_id=project_id,
            wanted=wanted,
            author_id=author_id,
            seed=wanted.seed or 0,
        )
        in_reach = await budgets.list_left(session, project_id=project_id)
    cost = await compute_cost(
        database,
        project_id=project_id,
        wanted=wanted,
        valid=valid,
        author_id=author_id,
        at_once=at_once,
    )
    return _read(wanted, valid.cases, cost, in_reach)


def _affordable(cost: SearchCost, budget: BudgetLeft) -> int | None:
    """Generations that a budget pays for besides baseline and gate; None is any number."""
    each = cost.generation.high.from_budget(budget)
    left = budget.left_nanos - cost.baseline.plus(cost.gate).high.from_budget(budget)
    return max(0, left // each) if each else None


def _read(
    wanted: OptimizationConfig,
    cases: SearchCases,
    cost: SearchCost,
    in_reach: Sequence[BudgetLeft],
) -> OptimizationEstimate:
    left = nanos_from_usd(wanted.budget_usd) - cost.baseline.plus(cost.gate).high.total
    each = cost.generation.high.total
    affordable = wanted.generations if each == 0 else max(0, left // each)
    limited_by = None
    for budget in in_reach:
        count = _affordable(cost, budget)
        if count is not None and count < min(affordable, wanted.generations):
            affordable, limited_by = count, budget.name
    total = cost.baseline.plus(cost.generation.times(wanted.generations)).plus(cost.gate)
    return OptimizationEstimate(
        train_cases=len(cases.train),
        holdout_cases=len(cases.holdout),
        candidates_per_generation=cost.candidates,
        generations=wanted.generations,
        affordable_generations=min(wanted.generations, affordable),
        baseline=cost.baseline.read(),
        generation=cost.generation.read(),
        gate=cost.gate.read(),
        total=total.read(),
        looks=cases.looks,
        alpha=alpha_of_look(cases.looks + 1),
        fits_budget=affordable >= 1,
        limited_by=limited_by,
    )
