"""Decides what a check found: its verdict, and which rules alert or have recovered."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.loops.monitors.checks.alert import Finding
from edison.loops.monitors.checks.baseline import Baseline
from edison.loops.monitors.checks.measure import drop_of
from edison.loops.monitors.schemas.alerts import AlertEvidence
from edison.loops.monitors.schemas.checks import CheckMeasures, DropMeasure, ModelMeasures
from edison.loops.monitors.schemas.rules import DropKind, MonitorRules, RatioSettings
from edison.loops.monitors.states import AlertRule, CheckVerdict
from edison.pipeline.aggregate.drops import (
    DropRule,
    has_recovered,
    is_confirmed,
    is_drop_without_confirmation,
)
from edison.pipeline.aggregate.forecast import forecast

# Checks in the baseline, and seconds above it, before latency can alert.
FEWEST_LATENCIES = 3
NOTABLE_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFacts:
    """What the rules look at. `history` are times and scores of measured checks, oldest first;
    this check is the last. `dropped_from` is the score that an open drop alert compares with.
    """

    name: str
    number: int
    rules: MonitorRules
    rule: DropRule
    measures: CheckMeasures
    baseline: Baseline
    checks_a_year: float
    next_at: datetime | None
    history: Sequence[tuple[datetime, float]]
    is_dropped: bool = False
    dropped_from: float | None = None
    run_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DropDecision:
    """`needs_confirmation`: nothing is decided about a drop before the answers are repeated."""

    verdict: CheckVerdict
    message: str | None
    needs_confirmation: bool = False
    finding: Finding | None = None
    has_recovered: bool = False


def decide_drop(facts: CheckFacts, *, is_confirmation: bool = False) -> DropDecision:
    """The verdict after the check's own run, or after its confirmation."""
    measures = facts.measures
    if measures.score is None:
        return DropDecision(verdict=CheckVerdict.UNSCORED, message="No answer has a score.")
    if facts.rules.drop.kind is DropKind.PLAIN:
        return _decide_plain(facts, measures.score)
    compared = [model for model in measures.models if model.drop is not None]
    if not compared:
        return _decide_uncompared(measures)
    if facts.is_dropped:
        return _follow_drop(facts, compared)
    return _decide_compared(facts, compared, is_confirmation=is_confirmation)


def _decide_uncompared(measures: CheckMeasures) -> DropDecision:
    for model in measures.models:
        if (found := model.not_comparable) is not None:
            message = (
                f"No longer comparable with the baseline: {found.shared} shared cases, "
                f"{found.needed} are needed."
            )
            return DropDecision(verdict=CheckVerdict.NOT_COMPARABLE, message=message)
    return DropDecision(verdict=CheckVerdict.GOOD, message="First check of a new baseline.")


def _decide_compared(
    facts: CheckFacts, compared: Sequence[ModelMeasures], *, is_confirmation: bool
) -> DropDecision:
    kind = facts.rules.drop.kind
    suspicious = [model for model in compared if model.drop and model.drop.is_suspicious]
    if kind is DropKind.OFF or not suspicious:
        return DropDecision(verdict=CheckVerdict.GOOD, message=None)
    if kind is DropKind.ONE_STAGE:
        lower = [model for model in suspicious if _is_drop_at_once(model.drop, facts)]
        why = "the evidence is not strong enough"
    elif not is_confirmation:
        return DropDecision(verdict=CheckVerdict.UNCONFIRMED, message=None, needs_confirmation=True)
    else:
        lower = [model for model in suspicious if _is_confirmed(model.confirmation, facts)]
        why = "repeating the answers did not confirm it"
    return _lower(facts, lower) if lower else _unconfirmed(suspicious, why)


def _is_drop_at_once(drop: DropMeasure | None, facts: CheckFacts) -> bool:
    return drop is not None and is_drop_without_confirmation(
        drop_of(drop), facts.rule, checks_a_year=facts.checks_a_year
    )


def _is_confirmed(drop: DropMeasure | None, facts: CheckFacts) -> bool:
    return drop is not None and is_confirmed(
        drop_of(drop), facts.rule, checks_a_year=facts.checks_a_year
    )


def _follow_drop(facts: CheckFacts, compared: Sequence[ModelMeasures]) -> DropDecision:
    """While an alert is open no confirmation runs: the check recovers, or it does not."""
    drops = [drop_of(model.drop) for model in compared if model.drop is not None]
    if all(has_recovered(drop, facts.rule) for drop in drops):
        message = f"Back at {_points(facts.measures.score)}, close to the baseline."
        return DropDecision(verdict=CheckVerdict.GOOD, message=message, has_recovered=True)
    worst = max(compared, key=lambda model: model.drop.relative if model.drop else 0.0)
    return DropDecision(
        verdict=CheckVerdict.LOWER,
        message=f"Still {_percent(worst.drop)} below the baseline.",
        finding=_drop_finding(facts, [worst]),
    )


def _decide_plain(facts: CheckFacts, score: float) -> DropDecision:
    """Lower than the previous check by more than the threshold; ends when the score is back near
    the one before the drop.
    """
    settings = facts.rules.drop
    if facts.is_dropped and facts.dropped_from is not None:
        if score >= facts.dropped_from * (1 - settings.recovery):
            message = f"Back at {_points(score)}."
            return DropDecision(verdict=CheckVerdict.GOOD, message=message, has_recovered=True)
        return DropDecision(
            verdict=CheckVerdict.LOWER,
            message=f"Still below {_points(facts.dropped_from)}.",
            finding=_plain_finding(facts, facts.dropped_from, score),
        )
    previous = facts.history[-2][1] if len(facts.history) > 1 else None
    if not previous or (previous - score) / previous <= settings.threshold:
        return DropDecision(verdict=CheckVerdict.GOOD, message=None)
    finding = _plain_finding(facts, previous, score)
    return DropDecision(verdict=CheckVerdict.LOWER, message=finding.message, finding=finding)


def _plain_finding(facts: CheckFacts, previous: float, score: float) -> Finding:
    relative = (previous - score) / previous
    return Finding(
        rule=AlertRule.DROP,
        title=f"{facts.name}: score {relative:.0%} below the previous check",
        message=f"The score fell from {_points(previous)} to {_points(score)}. This rule compares "
        "two checks without a test, so chance alone can cause it.",
        evidence=_evidence(facts, facts.measures.models, value=score, reference=previous),
    )


def _lower(facts: CheckFacts, models: Sequence[ModelMeasures]) -> DropDecision:
    finding = _drop_finding(facts, models)
    return DropDecision(verdict=CheckVerdict.LOWER, message=finding.message, finding=finding)


def _drop_finding(facts: CheckFacts, models: Sequence[ModelMeasures]) -> Finding:
    worst = max(models, key=lambda model: model.drop.relative if model.drop else 0.0)
    drop = worst.drop
    if drop is None:
        raise ValueError("A drop needs a comparison.")
    parts = [
        f"{worst.label} scores {_points(drop.current)} instead of {_points(drop.baseline)} on "
        f"{drop.shared} shared cases: {drop.regressed} regressed, {drop.improved} improved."
    ]
    if worst.confirmation is not None:
        again = worst.confirmation
        parts.append(f"Repeated answers confirm it: {_points(again.current)}.")
    others = [model.label for model in models if model.key != worst.key]
    if others:
        parts.append(f"Also lower: {', '.join(others)}.")
    return Finding(
        rule=AlertRule.DROP,
        title=f"{facts.name}: score {_percent(drop)} below the baseline",
        message=" ".join(parts),
        evidence=_evidence(facts, [worst], value=drop.current, reference=drop.baseline),
    )


def _unconfirmed(models: Sequence[ModelMeasures], why: str) -> DropDecision:
    worst = max(models, key=lambda model: model.drop.relative if model.drop else 0.0)
    message = f"Looked {_percent(worst.drop)} lower, but {why}."
    return DropDecision(verdict=CheckVerdict.UNCONFIRMED, message=message)


def _evidence(
    facts: CheckFacts, models: Sequence[ModelMeasures], *, value: float, reference: float
) -> AlertEvidence:
    worst = models[0]
    place = next(
        (at for at, each in enumerate(facts.measures.models) if each.key == worst.key), None
    )
    return AlertEvidence.model_validate(
        {
            "run_id": facts.run_id,
            "baseline_run_id": facts.measures.baseline_run_id,
            "variant": place,
            "worst": worst.worst,
            "value": value,
            "reference": reference,
            "figures": {"check": facts.number, "cases": facts.measures.cases},
        }
    )


def find_others(facts: CheckFacts) -> Mapping[AlertRule, Finding | None]:
    """The other rules that are switched on and could be evaluated; None where nothing is wrong."""
    found: dict[AlertRule, Finding | None] = {}
    rules, models = facts.rules, facts.measures.models
    answers, failed = sum(each.answers for each in models), sum(each.failed for each in models)
    if rules.errors.is_on and answers:
        found[AlertRule.ERRORS] = None
        if failed / answers > rules.errors.max_share:
            found[AlertRule.ERRORS] = _finding(
                facts,
                AlertRule.ERRORS,
                f"{failed} of {answers} answers failed",
                f"{failed / answers:.0%} of the answers failed; {rules.errors.max_share:.0%} are "
                "allowed.",
                (failed / answers, rules.errors.max_share),
            )
    seconds = {each.key: each.p95_seconds for each in models}
    nanos = {
        each.key: None if each.answer_usd is None else float(each.answer_usd) * 1e9
        for each in models
    }
    if rules.latency.is_on:
        found |= _compare_ratio(facts, AlertRule.LATENCY, rules.latency, seconds)
    if rules.cost.is_on:
        found |= _compare_ratio(facts, AlertRule.COST, rules.cost, nanos)
    if rules.predicted.is_on:
        found |= _predict(facts)
    return found


def _compare_ratio(
    facts: CheckFacts, rule: AlertRule, settings: RatioSettings, values: Mapping[str, float | None]
) -> dict[AlertRule, Finding | None]:
    """The model whose value rose most; empty without a baseline."""
    before = facts.baseline.seconds if rule is AlertRule.LATENCY else facts.baseline.nanos
    ratios = [
        (value / before[key], key)
        for key, value in values.items()
        if value is not None and before.get(key)
    ]
    if not ratios:
        return {}
    ratio, key = max(ratios)
    is_small = rule is AlertRule.LATENCY and not _is_notable(facts, values[key], before[key])
    if ratio <= settings.max_ratio or is_small:
        return {rule: None}
    label = next(each.label for each in facts.measures.models if each.key == key)
    value = values[key] or 0.0
    if rule is AlertRule.LATENCY:
        figures = f"p95 is {value:.2f} s instead of {before[key]:.2f} s"
    else:
        figures = f"An answer costs ${value / 1e9:.6f} instead of ${before[key] / 1e9:.6f}"
    noun = "latency" if rule is AlertRule.LATENCY else "cost per answer"
    return {
        rule: _finding(
            facts,
            rule,
            f"{noun} is {ratio:.1f} times the baseline's",
            f"{label}: {figures}.",
            (value, before[key]),
        )
    }


def _is_notable(facts: CheckFacts, value: float | None, before: float) -> bool:
    """Latency varies a lot: one slow check or a few milliseconds are no reason to alert."""
    if value is None or len(facts.baseline.checks) < FEWEST_LATENCIES:
        return False
    return value - before >= NOTABLE_SECONDS


def _predict(facts: CheckFacts) -> dict[AlertRule, Finding | None]:
    if facts.next_at is None:
        return {}
    threshold = facts.rules.predicted.threshold
    ahead = forecast(facts.history, threshold=threshold, next_at=facts.next_at)
    if ahead is None:
        return {}
    if not ahead.falls_below:
        return {AlertRule.PREDICTED: None}
    finding = _finding(
        facts,
        AlertRule.PREDICTED,
        f"score is expected to fall below {_points(threshold)}",
        f"The score fell by {-10 * ahead.slope_per_day:.2f} points a day over the last seven days; "
        f"the next check is expected at {_points(ahead.next_value)}.",
        (ahead.next_value, threshold),
        severity="warning",
    )
    return {AlertRule.PREDICTED: finding}


def _finding(
    facts: CheckFacts,
    rule: AlertRule,
    title: str,
    message: str,
    values: tuple[float, float],
    severity: str = "alert",
) -> Finding:
    return Finding(
        rule=rule,
        severity="warning" if severity == "warning" else "alert",
        title=f"{facts.name}: {title}",
        message=message,
        evidence=_evidence(facts, facts.measures.models, value=values[0], reference=values[1]),
    )


def _percent(drop: DropMeasure | None) -> str:
    return "" if drop is None else f"{drop.relative:.0%}"


def _points(score: float | None) -> str:
    """Out of ten, as on the pages."""
    return "no score" if score is None else f"{10 * score:.1f}/10"
