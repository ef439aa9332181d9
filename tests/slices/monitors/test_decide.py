"""Decisions about measured checks: pure, with exact figures."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from edison.loops.monitors.checks.baseline import Baseline, read_baseline
from edison.loops.monitors.checks.decide import CheckFacts, decide_drop, find_others
from edison.loops.monitors.checks.measure import MeasuredCheck, compare, rule_of
from edison.loops.monitors.estimate import assume_noise, find_smallest_drop, read_noise
from edison.loops.monitors.repository.checks import CheckPart
from edison.loops.monitors.schemas.checks import CheckMeasures, ModelMeasures
from edison.loops.monitors.schemas.rules import MonitorRules
from edison.loops.monitors.states import AlertRule, CheckVerdict

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
CASES = [f"case {number}" for number in range(40)]


def make_model(key: str = "a", **values: Any) -> ModelMeasures:
    return ModelMeasures.model_validate(
        {
            "key": key,
            "label": f"Model {key}",
            "model_id": None,
            "score": 1.0,
            "low": None,
            "high": None,
            "cases": len(CASES),
            "answers": len(CASES),
            "failed": 0,
            "p50_seconds": 1.0,
            "p95_seconds": 2.0,
            "answer_usd": Decimal("0.001"),
        }
        | values
    )


def make_baseline(*keys: str, checks: int = 5) -> Baseline:
    return Baseline(
        scores={key: dict.fromkeys(CASES, 1.0) for key in keys},
        noise={},
        seconds=dict.fromkeys(keys, 2.0),
        nanos=dict.fromkeys(keys, 1_000_000.0),
        score=1.0 if keys else None,
        checks=list(range(1, checks + 1)) if keys else [],
        run_id=None,
    )


def make_facts(
    wrong: dict[str, int], *, baseline: Baseline | None = None, **values: Any
) -> CheckFacts:
    """Models with these numbers of wrong answers, compared with a perfect baseline."""
    rules = MonitorRules.model_validate(values.pop("rules", {}))
    models = values.pop("models", None) or [
        make_model(key, score=1 - count / len(CASES)) for key, count in wrong.items()
    ]
    base = baseline or make_baseline(*wrong)
    scores = {
        key: {case: float(at >= count) for at, case in enumerate(CASES)}
        for key, count in wrong.items()
    }
    score = sum(each.score or 0 for each in models) / len(models)
    measured = MeasuredCheck(
        measures=CheckMeasures(
            score=score, low=None, high=None, cases=len(CASES), models=models, baseline_checks=[]
        ),
        scores=scores,
        places={case: at for at, case in enumerate(CASES)},
    )
    rule = rule_of(rules.drop, models=len(models))
    return CheckFacts(
        **{
            "name": "Parcels",
            "number": 7,
            "rules": rules,
            "rule": rule,
            "measures": compare(measured, base, rule).measures,
            "baseline": base,
            "checks_a_year": 365.0,
            "next_at": NOW + timedelta(days=1),
            "history": [(NOW, score)],
        }
        | values
    )


def test_a_small_drop_is_good() -> None:
    assert decide_drop(make_facts({"a": 3})).verdict is CheckVerdict.GOOD


def test_a_suspicious_drop_needs_a_confirmation() -> None:
    decision = decide_drop(make_facts({"a": 12}))
    assert (decision.needs_confirmation, decision.finding) == (True, None)


def test_the_confirmation_alone_decides() -> None:
    facts = make_facts({"a": 12})
    (model,) = facts.measures.models
    again = facts.measures.model_copy(
        update={"models": [model.model_copy(update={"confirmation": model.drop})]}
    )
    confirmed = make_facts({"a": 12}, measures=again)
    decision = decide_drop(confirmed, is_confirmation=True)
    assert decision.verdict is CheckVerdict.LOWER
    assert decision.finding is not None
    assert decision.finding.evidence.variant == 0
    assert [each.position for each in decision.finding.evidence.worst] == list(range(10))
    weaker = decide_drop(facts, is_confirmation=True)
    assert (weaker.verdict, weaker.finding) == (CheckVerdict.UNCONFIRMED, None)


def test_one_stage_alerts_at_once_on_strong_evidence() -> None:
    rules = {"drop": {"kind": "one_stage"}}
    assert decide_drop(make_facts({"a": 12}, rules=rules)).verdict is CheckVerdict.LOWER
    weak = make_facts({"a": 6}, rules=rules, checks_a_year=35_040.0)
    assert decide_drop(weak).verdict is CheckVerdict.UNCONFIRMED


def test_one_of_two_models_is_named() -> None:
    facts = make_facts({"a": 0, "b": 16}, rules={"drop": {"kind": "one_stage"}})
    finding = decide_drop(facts).finding
    assert finding is not None
    assert finding.message.startswith("Model b scores 6.0/10 instead of 10.0/10")
    assert finding.evidence.variant == 1


def test_a_new_model_and_a_switched_off_rule_are_good() -> None:
    assert decide_drop(make_facts({"a": 20}, baseline=make_baseline())).verdict is CheckVerdict.GOOD
    off = make_facts({"a": 20}, rules={"drop": {"kind": "off"}})
    assert decide_drop(off).verdict is CheckVerdict.GOOD


def test_an_open_alert_recovers_only_near_the_baseline() -> None:
    still = decide_drop(make_facts({"a": 3}, is_dropped=True))
    assert (still.verdict, still.has_recovered) == (CheckVerdict.LOWER, False)
    back = decide_drop(make_facts({"a": 1}, is_dropped=True))
    assert (back.verdict, back.has_recovered) == (CheckVerdict.GOOD, True)


def test_without_scores_nothing_is_decided() -> None:
    facts = make_facts({"a": 0}, models=[make_model(score=None)])
    nothing = facts.measures.model_copy(update={"score": None})
    assert decide_drop(make_facts({"a": 0}, measures=nothing)).verdict is CheckVerdict.UNSCORED


@pytest.mark.parametrize(
    ("model", "rule", "title"),
    [
        ({"failed": 5}, AlertRule.ERRORS, "Parcels: 5 of 40 answers failed"),
        ({"p95_seconds": 4.1}, AlertRule.LATENCY, "Parcels: latency is 2.0 times the baseline's"),
        (
            {"answer_usd": Decimal("0.0025")},
            AlertRule.COST,
            "Parcels: cost per answer is 2.5 times the baseline's",
        ),
    ],
)
def test_other_rules_name_what_is_wrong(model: dict[str, Any], rule: AlertRule, title: str) -> None:
    found = find_others(make_facts({"a": 0}, models=[make_model(**model)]))
    finding = found[rule]
    assert finding is not None
    assert finding.title == title
    assert [each for each in found.values() if each is not None] == [finding]


def test_latency_needs_several_checks_and_a_notable_difference() -> None:
    slow = [make_model(p95_seconds=9.0)]
    early = make_facts({"a": 0}, models=slow, baseline=make_baseline("a", checks=2))
    assert find_others(early)[AlertRule.LATENCY] is None
    assert find_others(make_facts({"a": 0}, models=slow))[AlertRule.LATENCY] is not None


def test_rules_that_are_off_say_nothing() -> None:
    off = {name: {"is_on": False} for name in ("errors", "latency", "cost", "predicted")}
    facts = make_facts({"a": 0}, models=[make_model(failed=40)], rules=off)
    assert find_others(facts) == {}


def test_a_falling_trend_warns() -> None:
    history = [(NOW - timedelta(days=at), 0.7 + at * 0.04) for at in range(6, -1, -1)]
    finding = find_others(make_facts({"a": 0}, history=history))[AlertRule.PREDICTED]
    assert finding is not None
    assert finding.severity == "warning"
    assert "next check is expected at 6.6/10" in finding.message
    flat = [(at, 0.9) for at, _ in history]
    assert find_others(make_facts({"a": 0}, history=flat))[AlertRule.PREDICTED] is None


def part(number: int, score: float) -> CheckPart:
    """A check in which all cases have the same score."""
    return CheckPart(
        id=None,  # type: ignore[arg-type]  # not read
        number=number,
        run_id=None,
        score=score,
        measures=None,
        case_scores={"a": dict.fromkeys(CASES, score)},
    )


def test_a_drop_within_the_spread_of_earlier_checks_is_not_suspicious() -> None:
    """Where cases fail together, the paired test alone takes every bad day for a drop."""
    steady = [part(number, 1.0) for number in range(1, 7)]
    unsteady = [part(number, score) for number, score in enumerate([1.0, 0.7] * 3, start=1)]
    with_noise = read_baseline(steady, unsteady)
    assert with_noise.noise["a"] is not None
    wrong = {"a": 8}

    assert decide_drop(make_facts(wrong, baseline=read_baseline(steady, steady))).needs_confirmation
    assert decide_drop(make_facts(wrong, baseline=with_noise)).verdict is CheckVerdict.GOOD


def test_noise_is_measured_from_checks_of_the_same_cases() -> None:
    assert read_noise([part(1, 0.8)]) is None
    noise = read_noise([part(1, 0.7), part(2, 0.9)])
    assert noise is not None
    assert (noise.mean, noise.variance) == (pytest.approx(0.8), pytest.approx(0.02))
    few, many = (find_smallest_drop(assume_noise(1), count) for count in (20, 200))
    assert few is not None
    assert many is not None
    assert few == pytest.approx(0.283, abs=0.01)
    assert many == pytest.approx(0.1, abs=0.01)
