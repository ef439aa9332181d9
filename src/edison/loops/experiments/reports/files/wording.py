"""Formats the numbers of a report."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Context, Decimal
from typing import Any

import orjson

from edison.pipeline.aggregate.results import PairedTest, Verdict
from edison.runs.results.schemas.statistics import ComparisonVerdict, MeanRead

NOTHING = "\N{EN DASH}"
_CENT = Decimal("0.01")
_THREE_DIGITS = Context(prec=3)
_MINUTE = 60
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_VERDICTS = {
    Verdict.BETTER: "better",
    Verdict.WORSE: "worse",
    Verdict.NO_EVIDENCE: "not enough evidence",
    Verdict.CANNOT_TELL: "unknown until missing scores are retried",
    Verdict.SO_FAR: "so far; no verdict before the run is complete",
}
_TESTS = {
    PairedTest.SCORE: "Tango's score test",
    PairedTest.BOOTSTRAP_T: "studentised bootstrap",
    PairedTest.SIGN_FLIP: "sign-flip test",
    PairedTest.SIGN: "sign test, as all differences are the same",
    PairedTest.CONFIDENCE_SEQUENCE: "confidence sequence",
}


def score(value: float | None) -> str:
    """Out of 10 with one digit, as in the interface. Stored scores are 0 to 1."""
    return NOTHING if value is None else f"{10 * value:.1f}"


def mean(found: MeanRead | None) -> str:
    """With its 95% confidence interval."""
    if found is None or found.value is None:
        return NOTHING
    if found.interval is None:
        return score(found.value)
    return f"{score(found.value)} ({score(found.interval.low)} to {score(found.interval.high)})"


def difference(value: float | None) -> str:
    if value is None:
        return NOTHING
    shown = f"{10 * value:+.1f}"
    return "\N{PLUS-MINUS SIGN}0.0" if shown in ("+0.0", "-0.0") else shown


def change(found: ComparisonVerdict | None) -> str:
    if found is None or found.difference.value is None:
        return NOTHING
    return f"{difference(found.difference.value)}, {_VERDICTS[found.verdict]}"


def evidence(found: ComparisonVerdict) -> str:
    """Counts, test and p-value behind a verdict."""
    said = f"{found.improved} cases improved, {found.regressed} got worse"
    said += f", {found.unchanged} stayed the same"
    test = "" if found.test is None else _TESTS[found.test]
    shown = test
    if found.adjusted_p_value is not None:
        small = found.adjusted_p_value < 0.001
        p_value = "p < 0.001" if small else f"p = {found.adjusted_p_value:.3f}"
        shown = f"{p_value}, {test}" if test else p_value
    said = f"{said} ({shown})." if shown else f"{said}."
    return " ".join(each for each in (said, _left_out(found), found.caveat) if each)


def _left_out(found: ComparisonVerdict) -> str:
    failed = found.baseline_left_out.failed + found.other_left_out.failed
    unreadable = found.baseline_left_out.unreadable + found.other_left_out.unreadable
    if not failed + unreadable:
        return ""
    return f"Left out: {failed} failed answers, {unreadable} unreadable scores."


def usd(amount: Decimal | None) -> str:
    """To the cent; amounts below a cent to three digits."""
    if amount is None:
        return NOTHING
    if amount and abs(amount) < _CENT:
        return f"${amount.normalize(_THREE_DIGITS):f}"
    return f"${amount:,.2f}"


def date(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def parameters(found: Mapping[str, Any]) -> str:
    if not found:
        return "Parameters: the model's defaults."
    said = [
        f"{name.replace('_', ' ')} {orjson.dumps(value).decode()}" for name, value in found.items()
    ]
    return f"Parameters: {', '.join(said)}."


def share(part: Decimal | int, whole: Decimal | int) -> str:
    return NOTHING if not whole else f"{100 * part / whole:.0f}%"


def count(number: int) -> str:
    return f"{number:,}"


def counted(number: int, one: str) -> str:
    return f"{count(number)} {one if number == 1 else f'{one}s'}"


def duration(seconds: float | None) -> str:
    if seconds is None:
        return NOTHING
    whole = round(seconds)
    for size, name, smaller, small in (
        (_DAY, "d", _HOUR, "h"),
        (_HOUR, "h", _MINUTE, "min"),
        (_MINUTE, "min", 1, "s"),
    ):
        if whole >= size:
            rest = whole % size // smaller
            return f"{whole // size} {name}" + (f" {rest} {small}" if rest else "")
    return f"{whole} s"


def seconds(number: float | None) -> str:
    return NOTHING if number is None else f"{number:.2f} s"
