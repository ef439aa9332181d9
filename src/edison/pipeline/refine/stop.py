"""Stop rules of an improvement loop, and their messages."""

from collections.abc import Iterator
from enum import StrEnum

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import usd_from_nanos

_SHORTEST_WINDOW = 2
# Composites are inexact in floating point; a gain of exactly the minimum is enough.
_ROUNDING = 1e-9


class StopReason(StrEnum):
    """Stored with experiments; never rename."""

    MAX_ITERATIONS = "max_iterations"
    BUDGET = "budget"
    TOKENS = "tokens"
    CONVERGED = "converged"
    NO_SUGGESTION = "no_suggestion"


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRules:
    """`min_improvement` is relative: 0.02 requires composites 2 % higher than the best earlier one
    in the window. None means no limit.
    """

    max_iterations: int = 10
    min_improvement: float = 0.02
    convergence_window: int = 3
    max_cost_nanos: int | None = None
    max_tokens: int | None = None
    stops_without_suggestion: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopProgress:
    """Progress of a loop. `composites` has one entry per finished iteration, oldest first, None
    where nothing could be scored. `has_suggestion` is None until the last iteration was refined.
    """

    composites: tuple[float | None, ...]
    cost_nanos: int = 0
    tokens: int = 0
    has_suggestion: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    reason: StopReason
    message: str


def find_stop(rules: StopRules, progress: LoopProgress) -> Stop | None:
    """The first rule that applies, in the order of `StopReason`; None to continue."""
    return next(_stops(rules, progress), None)


def list_stops(rules: StopRules, progress: LoopProgress) -> tuple[Stop, ...]:
    """All rules that apply."""
    return tuple(_stops(rules, progress))


def _stops(rules: StopRules, progress: LoopProgress) -> Iterator[Stop]:
    done = len(progress.composites)
    if done >= rules.max_iterations:
        yield Stop(
            reason=StopReason.MAX_ITERATIONS,
            message=f"{done} of {rules.max_iterations} iterations are done.",
        )
    if rules.max_cost_nanos is not None and progress.cost_nanos >= rules.max_cost_nanos:
        spent, limit = _dollars(progress.cost_nanos), _dollars(rules.max_cost_nanos)
        yield Stop(
            reason=StopReason.BUDGET, message=f"The budget is used up: {spent} of {limit} spent."
        )
    if rules.max_tokens is not None and progress.tokens >= rules.max_tokens:
        yield Stop(
            reason=StopReason.TOKENS,
            message=f"{progress.tokens:,} of {rules.max_tokens:,} tokens are used up.",
        )
    converged = _converged(rules, progress)
    if converged is not None:
        yield converged
    if rules.stops_without_suggestion and progress.has_suggestion is False:
        yield Stop(
            reason=StopReason.NO_SUGGESTION,
            message="The last iteration ended without a suggestion.",
        )


def _dollars(nanos: int) -> str:
    return f"${usd_from_nanos(nanos):,}"


def _converged(rules: StopRules, progress: LoopProgress) -> Stop | None:
    """Compares the latest composite with the best earlier one in the window. Iterations without
    scores are ignored. A window of 1 is treated as 2.
    """
    window = max(rules.convergence_window, _SHORTEST_WINDOW)
    known = [composite for composite in progress.composites if composite is not None]
    if len(known) < window:
        return None
    *earlier, latest = known[-window:]
    best = max(earlier)
    # A gain relative to zero is undefined: any gain is enough.
    gain = (latest - best) / best if best > 0 else float(latest > best)
    if gain >= rules.min_improvement - _ROUNDING:
        return None
    since = "the iteration" if window == _SHORTEST_WINDOW else f"the best of the {window - 1}"
    message = (
        f"Converged: the last iteration scored {10 * latest:.2f}, {gain:+.1%} against {since} "
        f"before it ({10 * best:.2f}); {rules.min_improvement:+.1%} was asked for."
    )
    return Stop(reason=StopReason.CONVERGED, message=message)
