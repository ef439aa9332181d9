"""Before a monitor is saved: its schedule in words, the cost of its checks, what they can show."""

import math
from collections.abc import Sequence
from decimal import Decimal
from statistics import NormalDist
from uuid import UUID

from edison.db.session import Database
from edison.jobs import cron
from edison.jobs.cron import BadCron
from edison.kit import clock
from edison.loops.monitors.configure import CONFIRM_REPEATS, validate
from edison.loops.monitors.repository.checks import CheckPart, Checks
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.schemas.monitors import (
    FalseAlarms,
    MonitorEstimate,
    MonitorPlan,
    PresetRead,
    ScheduleRead,
)
from edison.loops.monitors.schemas.rules import DropKind
from edison.loops.monitors.view import NEXT_TIMES
from edison.pipeline.aggregate.check_noise import (
    REFERENCE_CHECKS,
    CaseNoise,
    expected_plain_alarms,
    measure_case_noise,
)
from edison.pipeline.aggregate.drops import DropRule, confirming_p
from edison.pipeline.aggregate.power import POWER
from edison.runs.plan import service as run_plans

# Cases below which most drops stay unnoticed.
FEW_CASES = 20
# Without history, cases are taken to pass or fail, and four of five pass.
_PASS_RATE = 0.8
_MEASURED = "Measured in the last {} good checks of this monitor."
_ASSUMED = "Assumes cases that pass or fail at random, four of five of which pass."
_DAYS = 365
_SAFETY = 1.2


def preview_schedule(text: str) -> ScheduleRead:
    """A wrong schedule is explained in the answer, not refused: the form asks while users type."""
    presets = [PresetRead(key=each.key, name=each.name, cron=each.cron) for each in cron.PRESETS]
    try:
        normal = cron.normalise(text)
    except BadCron as bad:
        return ScheduleRead(
            cron=text,
            problem=str(bad),
            words=None,
            next_times=[],
            times_a_year=None,
            presets=presets,
        )
    return ScheduleRead(
        cron=normal,
        problem=None,
        words=cron.explain(normal),
        next_times=cron.list_next(normal, after=clock.now(), count=NEXT_TIMES),
        times_a_year=cron.times_a_year(normal),
        presets=presets,
    )


async def estimate_monitor(
    database: Database,
    *,
    project_id: UUID,
    wanted: MonitorPlan,
    monitor_id: UUID | None,
    author_id: UUID,
    at_once: int,
) -> MonitorEstimate:
    """Calls no model and writes nothing. The checks of `monitor_id` show how much scores vary."""
    async with database.read() as session:
        survey = await validate(session, project_id=project_id, wanted=wanted, author_id=author_id)
        parts: Sequence[CheckPart] = ()
        if monitor_id is not None:
            monitor = await Monitors(session).get(project_id, monitor_id)
            parts = await Checks(session).list_baseline(monitor)
    check = await run_plans.compute_estimate(survey, at_once=at_once)
    cases = len(survey.plan.cases)
    noise = read_noise(parts)
    basis = _MEASURED.format(len(parts)) if noise is not None else _ASSUMED
    noise = noise or assume_noise(wanted.repeats)
    a_year = cron.times_a_year(wanted.cron)
    low, high = check.cost.low_usd, check.cost.high_usd
    usd = None if low is None or high is None else (low + high) / 2
    confirms = wanted.rules.drop.kind is DropKind.TWO_STAGE
    confirmation = usd * CONFIRM_REPEATS / wanted.repeats if usd is not None and confirms else None
    a_day = a_year / _DAYS
    day = None if usd is None else usd * Decimal(str(a_day))
    smallest = find_smallest_drop(noise, cases)
    budget = wanted.daily_budget_usd
    most = None if usd is None else (usd * math.ceil(a_day) + (confirmation or 0))
    fits = None if most is None or budget is None else most * Decimal(str(_SAFETY)) <= budget
    return MonitorEstimate(
        check=check,
        cases=cases,
        checks_a_day=a_day,
        check_usd=_rounded(usd),
        confirmation_usd=_rounded(confirmation),
        day_usd=_rounded(day),
        fits_budget=fits,
        smallest_drop=smallest,
        false_alarms=count_false_alarms(
            noise, cases=cases, wanted=wanted, a_year=a_year, basis=basis
        ),
        warnings=_warnings(cases, wanted, fits=fits, smallest=smallest),
    )


def read_noise(parts: Sequence[CheckPart]) -> CaseNoise | None:
    """From the scores of the same cases in several checks; None with fewer than two checks."""
    return measure_case_noise(
        [
            {
                f"{model} {case}": [score]
                for model, scores in part.case_scores.items()
                for case, score in scores.items()
            }
            for part in parts
        ]
    )


def assume_noise(repeats: int) -> CaseNoise:
    return CaseNoise(mean=_PASS_RATE, variance=_PASS_RATE * (1 - _PASS_RATE) / repeats)


def find_smallest_drop(noise: CaseNoise, cases: int) -> float | None:
    """The smallest relative drop that a check notices in 80 of 100 cases, once the baseline is
    complete.
    """
    if not cases or noise.mean <= 0:
        return None
    rule = DropRule()
    error = math.sqrt(noise.variance * (1 + 1 / REFERENCE_CHECKS) / cases)
    needed = NormalDist().inv_cdf(1 - rule.suspicious_p) + NormalDist().inv_cdf(POWER)
    return min(1.0, max(rule.threshold, needed * error / noise.mean))


def count_false_alarms(
    noise: CaseNoise, *, cases: int, wanted: MonitorPlan, a_year: float, basis: str
) -> FalseAlarms:
    """Upper bounds for the rules with a test: the thresholds only lower them."""
    rule = DropRule()
    plain = expected_plain_alarms(
        noise, cases=cases, threshold=wanted.rules.drop.threshold, checks_a_year=a_year
    )
    return FalseAlarms(
        two_stage=a_year * rule.suspicious_p * confirming_p(rule, a_year),
        one_stage=1.0 if noise.variance > 0 else 0.0,
        plain=round(plain, 2),
        basis=basis,
    )


def _rounded(usd: Decimal | None) -> Decimal | None:
    return None if usd is None else usd.quantize(Decimal("0.000000001"))


def _warnings(
    cases: int, wanted: MonitorPlan, *, fits: bool | None, smallest: float | None
) -> list[str]:
    warnings = []
    if cases < FEW_CASES:
        warnings.append(
            f"With {cases} cases no drop can be told from chance. Add cases: at least {FEW_CASES} "
            "are needed."
        )
    elif smallest is not None and smallest > 2 * wanted.rules.drop.threshold:
        warnings.append(
            f"These cases usually reveal drops of {smallest:.0%} or more. Add cases or repeats to "
            "see smaller ones."
        )
    if fits is False:
        warnings.append(
            "The daily budget does not cover a day of checks with one confirmation, so checks will "
            "be skipped."
        )
    return warnings
