"""Estimates calls, tokens, cost and time of a run before it starts, with the assumptions made.

All ranges are meant to contain what the run takes: the low end assumes the cheapest case of
everything that is not known, the high end the dearest.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Literal
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import nanos_from_usd, usd_from_nanos
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.pipeline.generate.outcome import Usage
from edison.pipeline.generate.path.question import UNBOUNDED_TOKENS
from edison.pipeline.generate.tokens.count import count_prompt
from edison.runs.plan.call_range import CallRange, History, Range, range_of_call
from edison.runs.plan.schemas import (
    BudgetInReach,
    EstimatedCost,
    EstimatedNumber,
    RunEstimate,
)
from edison.runs.plan.types import PlannedVariant, RunPlan
from edison.workspace.budgets.types import BudgetLeft, Need

# Cases per prompt whose tokens are counted; counting all of a large dataset takes too long.
SAMPLE = 200
# A judge's own instructions and rubric, and the case and the answers as it sees them.
JUDGE_TEXT_TOKENS = Range(low=100, high=2000)
JUDGE_READS = Range(low=0.5, high=2.0)
# Starting, storing and summing up.
OVERHEAD_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgements:
    """A model's calls as a judge, and the number of answers each call reads. `least_share` of the
    calls are made at least: equal answers need no judge.
    """

    model: CallableModel
    calls: int
    max_tokens: int
    answers_read: int = 1
    least_share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Experience:
    """What is known from earlier runs. `answers` are by position of the variant, `judgements` by
    judge; `cached` is the share of each variant's cells that the answer cache holds.
    """

    answers: Sequence[History]
    judgements: Mapping[UUID, History]
    cached: Sequence[float]


@dataclass(slots=True)
class _Sum:
    input_tokens: Range = field(default_factory=lambda: Range(low=0, high=0))
    output_tokens: Range = field(default_factory=lambda: Range(low=0, high=0))
    # By whether the dollars are simulated, in nano-dollars.
    cost: dict[bool, Range] = field(default_factory=dict)
    # Sums of the seconds of calls that share slots, already divided by the slots.
    lanes: dict[UUID, Range] = field(
        default_factory=lambda: defaultdict(lambda: Range(low=0, high=0))
    )
    called: list[CallableModel] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)

    def add(self, model: CallableModel, call: CallRange, calls: Range, at_once: int) -> None:
        self.called.append(model)
        self.input_tokens = _plus(self.input_tokens, _product(call.input, calls))
        self.output_tokens = _plus(self.output_tokens, _product(call.output, calls))
        lane = model.id if model.has_own_queue else model.credential.id
        slots = model.limits.concurrency or at_once
        self.lanes[lane] = _plus(self.lanes[lane], _product(call.seconds, calls).times(1 / slots))
        if model.prices is not None:
            known = self.cost.get(model.is_simulated, Range(low=0, high=0))
            self.cost[model.is_simulated] = _plus(known, _product(_cost(model, call), calls))


def estimate(
    plan: RunPlan,
    *,
    judges: Sequence[Judgements],
    experience: Experience,
    budgets: Sequence[BudgetLeft],
    at_once: int,
) -> RunEstimate:
    """CPU-bound for long prompts: run it in a thread."""
    cells = len(plan.cases) * plan.repeats
    sample = _sample(len(plan.cases))
    total = _Sum(assumptions=[_counted(len(sample), len(plan.cases))])
    read, written = Range(low=0, high=0), Range(low=0, high=0)
    for variant, known, cached in zip(
        plan.variants, experience.answers, experience.cached, strict=True
    ):
        call = _call_of(plan, variant, known, sample, cells)
        if variant.model.provider == models.ECHO:
            written = _plus(written, call.input)
            continue
        asked = cells * (1 - cached)
        total.add(variant.model, call, Range(low=asked, high=asked), at_once)
        total.assumptions.append(_assumed(variant, known, cached))
        read, written = _plus(read, call.input), _plus(written, call.output)
    width = 1 / max(1, len(plan.variants))
    seen = (read.times(width), written.times(width))
    share = 1 - sum(experience.cached) / max(1, len(experience.cached))
    likely = [replace(each, least_share=each.least_share * share) for each in judges]
    _add_judges(total, likely, experience.judgements, seen, at_once)
    need = need_of(plan.variants, judges)
    asking = sum(each.model.provider != models.ECHO for each in plan.variants)
    return _estimate(total, judges, budgets, need, answer_calls=cells * asking)


def estimate_judges(
    judges: Sequence[Judgements],
    *,
    known: Mapping[UUID, History],
    seen: tuple[Range, Range],
    budgets: Sequence[BudgetLeft],
    at_once: int,
) -> RunEstimate:
    """The estimate for judging answers that exist. `seen` are the tokens of a prompt and of an
    answer.
    """
    total = _Sum(assumptions=["The answers of the run are used as they are."])
    _add_judges(total, judges, known, seen, at_once)
    return _estimate(total, judges, budgets, need_of((), judges), answer_calls=0)


def _add_judges(
    total: _Sum,
    judges: Sequence[Judgements],
    experience: Mapping[UUID, History],
    seen: tuple[Range, Range],
    at_once: int,
) -> None:
    for judge in judges:
        known = experience.get(judge.model.id, History())
        calls = Range(low=judge.calls * judge.least_share, high=judge.calls)
        total.add(judge.model, _judge_call(judge, known, seen), calls, at_once)
        total.assumptions.append(_assumed_judge(judge, known))
    total.assumptions.append(
        f"Up to {at_once} calls at a time, unless a credential or model says more."
    )


def _estimate(
    total: _Sum,
    judges: Sequence[Judgements],
    budgets: Sequence[BudgetLeft],
    need: Need,
    *,
    answer_calls: int,
) -> RunEstimate:
    unpriced = sorted({model.display_name for model in total.called if model.prices is None})
    known_cost = [total.cost.get(kind, Range(low=0, high=0)) for kind in (False, True)]
    both = _plus(*known_cost)
    return RunEstimate(
        answer_calls=answer_calls,
        judge_calls=sum(judge.calls for judge in judges),
        input_tokens=round((total.input_tokens.low + total.input_tokens.high) / 2),
        output_tokens=_number(total.output_tokens),
        cost=EstimatedCost(low_usd=None, high_usd=None) if unpriced else _usd(both),
        known_cost=_usd(both) if total.cost else EstimatedCost(low_usd=None, high_usd=None),
        simulated_cost=_usd(known_cost[True]),
        seconds=_seconds(total),
        assumptions=total.assumptions,
        unpriced_models=unpriced,
        budgets=[_reach(each, known_cost, need) for each in budgets],
    )


def need_of(
    variants: Sequence[PlannedVariant],
    judges: Sequence[Judgements],
    estimate: RunEstimate | None = None,
) -> Need:
    """What the run needs of budgets at least: its low estimate, and no less than one call."""
    called = [
        replace(each.model, parameters=each.parameters)
        for each in variants
        if not models.is_echo(each.model)
    ]
    # What a judge reserves depends on its scorer, so that its model counts without an amount.
    free = [
        replace(each.model, parameters=replace(each.model.parameters, max_tokens=0))
        for each in judges
    ]
    least = models.least_need(called)
    of_judges = models.least_need(free)
    need = Need(
        real_nanos=least.real_nanos if least.real_nanos is not None else of_judges.real_nanos,
        simulated_nanos=(
            least.simulated_nanos
            if least.simulated_nanos is not None
            else of_judges.simulated_nanos
        ),
        unpriced=tuple(sorted({*least.unpriced, *of_judges.unpriced})),
    )
    if estimate is None:
        return need
    simulated = _low_nanos(estimate.simulated_cost)
    real = _low_nanos(estimate.known_cost) - simulated
    return replace(
        need,
        real_nanos=None if need.real_nanos is None else max(need.real_nanos, real),
        simulated_nanos=(
            None if need.simulated_nanos is None else max(need.simulated_nanos, simulated)
        ),
    )


def _low_nanos(cost: EstimatedCost) -> int:
    return 0 if cost.low_usd is None else nanos_from_usd(cost.low_usd)


def _sample(count: int) -> Sequence[int]:
    """Evenly spaced positions."""
    if count <= SAMPLE:
        return range(count)
    return [at * count // SAMPLE for at in range(SAMPLE)]


def _call_of(
    plan: RunPlan, variant: PlannedVariant, known: History, sample: Sequence[int], cells: int
) -> CallRange:
    model = variant.model
    counts = [
        count_prompt(
            prompt,
            model=model.provider_model,
            provider=model.provider,
        )
        for at in sample
        if (prompt := variant.template.find_rendered(plan.cases[at].inputs)) is not None
    ]
    mean = sum(each.tokens for each in counts) / len(counts) if counts else 0
    # A sample of the cases may miss long ones.
    spread = 1.0 if len(sample) == len(plan.cases) else 1.1
    return range_of_call(
        known,
        counted=Range(low=mean / spread, high=mean * spread),
        is_exact=all(each.method == "exact" for each in counts),
        max_tokens=_most_tokens(variant),
        calls=cells,
    )


def _most_tokens(variant: PlannedVariant) -> int:
    return variant.parameters.max_tokens or UNBOUNDED_TOKENS


def _judge_call(judge: Judgements, known: History, seen: tuple[Range, Range]) -> CallRange:
    """`seen` are tokens of a prompt and of an answer. Past calls count for the input as well, since
    the prompts of judges contain answers that do not exist yet.
    """
    prompt, answer = seen
    counted = Range(
        low=JUDGE_TEXT_TOKENS.low + JUDGE_READS.low * judge.answers_read * answer.low,
        high=JUDGE_TEXT_TOKENS.high
        + JUDGE_READS.high * (prompt.high + judge.answers_read * answer.high),
    )
    if known.is_known:
        mean = sum(call.counted or call.input_tokens for call in known.calls) / len(known.calls)
        spread = 1.3 if known.is_same else 4.0
        counted = Range(low=mean / spread, high=mean * spread)
    return range_of_call(
        known, counted=counted, is_exact=False, max_tokens=judge.max_tokens, calls=judge.calls
    )


def _cost(model: CallableModel, call: CallRange) -> Range:
    """Nano-dollars of one call."""
    prices = model.prices
    if prices is None:
        return Range(low=0, high=0)

    def nanos(read: float, written: float, cached_share: float) -> int:
        usage = Usage(
            input_tokens=round(read),
            output_tokens=round(written),
            cached_input_tokens=int(read * cached_share),
        )
        return prices.cost_nanos(usage)

    return Range(
        low=nanos(call.input.low, call.output.low, call.cached_share.high),
        high=max(
            nanos(call.input.high, call.output.high, call.cached_share.low),
            prices.worst_case_nanos(
                input_tokens=round(call.input.high), max_tokens=round(call.output.high)
            )
            if prices.cache_write is not None
            else 0,
        ),
    )


def _seconds(total: _Sum) -> EstimatedNumber:
    """At least as long as the busiest queue, at most as long as all of them one after another."""
    lanes = list(total.lanes.values())
    low = max((lane.low for lane in lanes), default=0)
    high = sum(lane.high for lane in lanes) + OVERHEAD_SECONDS
    return EstimatedNumber(low=round(low, 1), high=round(high, 1))


def _reach(budget: BudgetLeft, cost: Sequence[Range], need: Need) -> BudgetInReach:
    """`cost` is real, then simulated; `need` is the least that one call reserves."""
    counted = cost[False] if not budget.counts_simulated else _plus(*cost)
    one_call = need.from_budget(counts_simulated=budget.counts_simulated)
    fit: Literal["fits", "may_run_out", "too_small"]
    if one_call is None:
        fit = "fits"
    elif max(one_call, counted.low) > budget.left_nanos or budget.left_nanos <= 0:
        fit = "too_small"
    else:
        is_certain = counted.high <= budget.left_nanos and not need.unpriced
        fit = "fits" if is_certain else "may_run_out"
    return BudgetInReach(
        budget_id=budget.id,
        name=budget.name,
        period=budget.period,
        limit_usd=usd_from_nanos(budget.limit_nanos),
        counts_simulated=budget.counts_simulated,
        left_usd=usd_from_nanos(max(0, budget.left_nanos)),
        fit=fit,
    )


def _plus(first: Range, second: Range) -> Range:
    return Range(low=first.low + second.low, high=first.high + second.high)


def _product(each: Range, count: Range) -> Range:
    return Range(low=each.low * count.low, high=each.high * count.high)


def _usd(nanos: Range) -> EstimatedCost:
    return EstimatedCost(
        low_usd=usd_from_nanos(int(nanos.low)), high_usd=usd_from_nanos(-int(-nanos.high // 1))
    )


def _number(tokens: Range) -> EstimatedNumber:
    return EstimatedNumber(low=round(tokens.low), high=round(tokens.high))


def _counted(sample: int, cases: int) -> str:
    if sample == cases:
        return "Prompts were counted for every case."
    return f"Prompts were counted for {sample} of {cases:,} cases."


def _assumed(variant: PlannedVariant, known: History, cached: float) -> str:
    name, most = variant.model.display_name, _most_tokens(variant)
    kept = f" {cached:.0%} of its answers are cached." if cached else ""
    if not known.is_known:
        return f"{name} has not answered here yet: up to {most:,} tokens each.{kept}"
    mean = sum(call.output_tokens for call in known.calls) / len(known.calls)
    of = "this prompt" if known.is_same else "other prompts"
    return (
        f"{name} wrote {mean:.0f} tokens on average in {len(known.calls)} earlier calls of {of}."
        f"{kept}"
    )


def _assumed_judge(judge: Judgements, known: History) -> str:
    name = judge.model.display_name
    times = f"is asked up to {judge.calls:,} times"
    if not known.is_known:
        return (
            f"{name} {times} and has not judged here yet: up to {judge.max_tokens:,} tokens each."
        )
    mean = sum(call.output_tokens for call in known.calls) / len(known.calls)
    return f"{name} {times}, and wrote {mean:.0f} tokens on average as a judge."
