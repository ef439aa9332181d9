"""Applies a comparer to two answers, by the rules that hold for every comparer.

- Without two answers there is no preference.
- A malformed answer loses to one that is not; two malformed answers are a tie. Both cases set the
  flag.
- Two answers with the same text are a tie. None of these cases costs anything.
- A comparer that fails gives no preference; the run continues. Exceptions raised by its `Tools`
  propagate to the caller.
"""

from dataclasses import replace

import structlog

from edison.pipeline.score.comparer import Compared, Comparer, Winner
from edison.pipeline.score.metered_tools import MeteredTools
from edison.pipeline.score.scorer import Flag, NotApplicable, Subject, Tools

_log = structlog.get_logger(__name__)


async def compare(
    comparer: Comparer, a: Subject | None, b: Subject | None, tools: Tools
) -> Compared:
    """None is a cell without an answer."""
    if a is None or b is None:
        return Compared(
            preference=None, flag=Flag.NO_ANSWER, rationale="There are no two answers to compare."
        )
    settled = _settled(a, b)
    if settled is not None:
        return settled
    lent = MeteredTools(tools)
    compared = await _compare(comparer, a, b, lent)
    return replace(compared, cost_nanos=lent.cost_nanos)


def _settled(a: Subject, b: Subject) -> Compared | None:
    """Result of a pair that needs no judge, or None."""
    malformed = (a.malformed is not None, b.malformed is not None)
    if malformed == (True, True):
        return Compared(
            preference=Winner.TIE, flag=Flag.MALFORMED, rationale="Both answers are malformed."
        )
    if any(malformed):
        return Compared(
            preference=Winner.B if malformed[0] else Winner.A,
            flag=Flag.MALFORMED,
            rationale="The other answer is malformed.",
        )
    if a.answer.strip() == b.answer.strip():
        return Compared(preference=Winner.TIE, rationale="Both answers are the same.")
    return None


async def _compare(comparer: Comparer, a: Subject, b: Subject, lent: MeteredTools) -> Compared:
    try:
        return await comparer.compare(a, b, lent)
    except NotApplicable as silent:
        return Compared(preference=None, flag=silent.flag, rationale=silent.reason)
    except Exception as error:
        if lent.have_raised(error):
            raise
        _log.exception("comparer failed", comparer=type(comparer).__name__)
        return Compared(
            preference=None,
            flag=Flag.SCORER_FAILED,
            rationale=f"The comparer failed: {type(error).__name__}.",
        )
