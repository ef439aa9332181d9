"""Decides whether a new version has been tested on enough cases.

Results are checked as they arrive, with a confidence sequence that is valid at all looks at once
(`aggregate/sequence`): stopping early does not raise the false positive rate.
"""

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.sequence import Look, SequentialDecision, look
from edison.pipeline.aggregate.table import Floats

# Smaller differences of composites in 0..1 are not worth more cases.
WORTHWHILE = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingState:
    """`is_decided`: more cases would not change the conclusion."""

    look: Look
    is_decided: bool
    message: str


def look_at(
    baseline: Floats, candidate: Floats, *, planned_cases: int, worthwhile: float = WORTHWHILE
) -> SamplingState:
    """Takes composites of the same cases in the order of the calls, NaN where there is none yet.
    The other arguments must not change between looks.
    """
    found = look(candidate - baseline, planned_cases=planned_cases, worthwhile=worthwhile)
    is_complete = found.cases >= planned_cases
    is_decided = found.decision is not SequentialDecision.CONTINUE or is_complete
    return SamplingState(look=found, is_decided=is_decided, message=_message(found, planned_cases))


def _message(found: Look, planned_cases: int) -> str:
    count = f"{found.cases} of {planned_cases} cases"
    match found.decision:
        case SequentialDecision.BETTER:
            return f"Better after {count}."
        case SequentialDecision.WORSE:
            return f"Worse after {count}."
        case SequentialDecision.TOO_CLOSE:
            return f"Too close to go on after {count}."
        case SequentialDecision.CONTINUE if found.cases >= planned_cases:
            return f"All {planned_cases} cases are scored."
        case SequentialDecision.CONTINUE:
            return f"Not decided after {count}."
