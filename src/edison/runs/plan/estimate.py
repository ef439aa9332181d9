"""Estimates calls, tokens, cost and time of a run before it starts, with the assumptions made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from edison.kit.money import usd_from_nanos
from edison.library.models.service import CallableModel
from edison.pipeline.generate.path.question import UNBOUNDED_TOKENS
from edison.pipeline.generate.tokens.count import count_prompt
from edison.runs.plan.schemas import EstimatedCost, EstimatedNumber, RunEstimate
from edison.runs.plan.types import PlannedVariant, RunPlan

# Cases per prompt whose tokens are counted; counting all of a large dataset takes too long.
SAMPLE = 200
# Low estimate of the output tokens, as a share of max tokens, for a model without history.
SHORT_SHARE = 0.1
# High estimate of the output tokens, as a multiple of the mean, for a model with history.
LONG_TIMES = 2
USUAL_SECONDS = (0.5, 8.0)
JUDGE_OUTPUT_TOKENS = (60, 600)
JUDGE_EXTRA_TOKENS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Experience:
    """A model's recent answers in this project: means over `count` outputs."""

    count: int
    output_tokens: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgements:
    """A model's calls as a judge, and the number of answers each call reads."""

    model: CallableModel
    calls: int
    answers_read: int = 1

    def assumption(self) -> str:
        low, high = JUDGE_OUTPUT_TOKENS
        told = (
            "judges each answer once"
            if self.answers_read == 1
            else f"is asked {self.calls:,} times which of two answers is better"
        )
        return f"{self.model.display_name} {told}, in {low} to {high} tokens."


@dataclass(slots=True)
class _Sum:
    input_tokens: int = 0
    output_low: float = 0
    output_high: float = 0
    cost_low: int = 0
    cost_high: int = 0
    seconds_low: float = 0
    seconds_high: float = 0


def estimate(
    plan: RunPlan,
    *,
    judges: Sequence[Judgements],
    experience: Mapping[UUID, Experience],
    at_once: int,
) -> RunEstimate:
    """CPU-bound for long prompts: run it in a thread."""
    cells_each = len(plan.cases) * plan.repeats
    sample = _sample(len(plan.cases))
    total = _Sum()
    assumptions = [_counted(len(sample), len(plan.cases))]
    for variant in plan.variants:
        known = experience.get(variant.model.id)
        _add_variant(total, plan, variant, known, sample, cells_each)
        assumptions.append(_assumed(variant, known))
    cells = max(1, plan.cell_count)
    answer_tokens = total.output_low / cells, total.output_high / cells
    for judge in judges:
        _add_judge(total, judge, answer_tokens)
        assumptions.append(judge.assumption())
    models = [variant.model for variant in plan.variants] + [judge.model for judge in judges]
    unpriced = sorted({model.display_name for model in models if model.prices is None})
    dispatch_queues = max(1, len({model.credential.id for model in models}))
    width = at_once * dispatch_queues
    assumptions.append(f"Up to {at_once} calls at a time for each credential; nothing is kept yet.")
    return RunEstimate(
        answer_calls=plan.cell_count,
        judge_calls=sum(judge.calls for judge in judges),
        input_tokens=total.input_tokens,
        output_tokens=EstimatedNumber(low=round(total.output_low), high=round(total.output_high)),
        cost=EstimatedCost(
            low_usd=None if unpriced else usd_from_nanos(total.cost_low),
            high_usd=None if unpriced else usd_from_nanos(total.cost_high),
        ),
        seconds=EstimatedNumber(
            low=round(total.seconds_low / width, 1), high=round(total.seconds_high / width, 1)
        ),
        assumptions=assumptions,
        unpriced_models=unpriced,
    )


def _sample(count: int) -> Sequence[int]:
    """Evenly spaced positions."""
    if count <= SAMPLE:
        return range(count)
    return [at * count // SAMPLE for at in range(SAMPLE)]


def _add_variant(
    total: _Sum,
    plan: RunPlan,
    variant: PlannedVariant,
    known: Experience | None,
    sample: Sequence[int],
    cells: int,
) -> None:
    counted = sum(
        count_prompt(
            variant.template.render(plan.cases[at].inputs),
            model=variant.model.provider_model,
            provider=variant.model.provider,
        ).tokens
        for at in sample
    )
    prompt_tokens = counted / len(sample) if sample else 0
    low, high = _answer_tokens(variant, known)
    seconds = (known.seconds, known.seconds) if known else USUAL_SECONDS
    total.input_tokens += round(prompt_tokens * cells)
    total.output_low += low * cells
    total.output_high += high * cells
    total.seconds_low += seconds[0] * cells
    total.seconds_high += seconds[1] * cells
    _add_cost(total, variant.model, cells, ((prompt_tokens, low), (prompt_tokens, high)))


def _answer_tokens(variant: PlannedVariant, known: Experience | None) -> tuple[float, float]:
    most = _most_tokens(variant)
    if known is None:
        return most * SHORT_SHARE, most
    return known.output_tokens, min(most, known.output_tokens * LONG_TIMES)


def _most_tokens(variant: PlannedVariant) -> int:
    return variant.parameters.max_tokens or UNBOUNDED_TOKENS


def _add_judge(total: _Sum, judge: Judgements, answer_tokens: tuple[float, float]) -> None:
    calls = judge.calls
    read = [JUDGE_EXTRA_TOKENS + tokens * judge.answers_read for tokens in answer_tokens]
    low, high = JUDGE_OUTPUT_TOKENS
    total.input_tokens += round(sum(read) / 2 * calls)
    total.output_low += low * calls
    total.output_high += high * calls
    total.seconds_low += USUAL_SECONDS[0] * calls
    total.seconds_high += USUAL_SECONDS[1] * calls
    _add_cost(total, judge.model, calls, ((read[0], low), (read[1], high)))


def _add_cost(
    total: _Sum, model: CallableModel, calls: int, tokens: Sequence[tuple[float, float]]
) -> None:
    """`tokens` are the input and output tokens of one call: the low, then the high estimate."""
    if model.prices is None:
        return
    low, high = (
        model.prices.worst_case_nanos(input_tokens=round(read), max_tokens=round(written))
        for read, written in tokens
    )
    total.cost_low += low * calls
    total.cost_high += high * calls


def _counted(sample: int, cases: int) -> str:
    if sample == cases:
        return "Prompts were counted for every case."
    return f"Prompts were counted for {sample} of {cases:,} cases."


def _assumed(variant: PlannedVariant, known: Experience | None) -> str:
    name = variant.model.display_name
    most = _most_tokens(variant)
    if known is None:
        return (
            f"{name} has not answered here yet: taken to write between {round(most * SHORT_SHARE)} "
            f"and {most} tokens, in {USUAL_SECONDS[0]} to {USUAL_SECONDS[1]} s."
        )
    return (
        f"{name} wrote {known.output_tokens:.0f} tokens in {known.seconds:.1f} s on average over "
        f"its last {known.count} answers; taken to write up to twice as much, at most {most}."
    )
