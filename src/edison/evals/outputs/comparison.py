"""The comparison with a baseline as sentences and as data."""

from typing import Any

from edison.evals.comparison import BaselineReport, ColumnComparison
from edison.pipeline.aggregate.results import Verdict

_LONGEST = 80
_WORDS = {
    Verdict.BETTER: "better",
    Verdict.WORSE: "worse",
    Verdict.NO_EVIDENCE: "no evidence of a difference",
    Verdict.CANNOT_TELL: "cannot tell",
}


def comparison_lines(report: BaselineReport) -> list[str]:
    """Sentences: one for each column and measure, and what was left out."""
    lines = [f"Compared with {report.baseline}:", *map(_line, report.comparisons)]
    if not report.comparisons:
        lines.append("No column has the provider of a column of the baseline.")
    if report.changed:
        lines.append(f"{report.changed} tests have other assertions there and are left out.")
    if report.unshared:
        lines.append(f"{report.unshared} tests are on one side only.")
    if report.unmatched:
        lines.append("Not compared: " + ", ".join(map(_cut, report.unmatched)) + ".")
    return lines


def _line(each: ColumnComparison) -> str:
    found = each.found
    renamed = "" if each.column == each.baseline_column else f" (was {_cut(each.baseline_column)})"
    start = f"{_cut(each.column)}{renamed}, {each.measure}: "
    cases = found.difference.cases
    if not cases or found.baseline_mean is None or found.other_mean is None:
        return f"{start}cannot tell, because no test has a verdict on both sides."
    change = f"{_percent(found.baseline_mean)} → {_percent(found.other_mean)} over {cases} tests"
    if found.verdict is Verdict.CANNOT_TELL:
        before, after = found.baseline_left_out, found.other_left_out
        missing = f"{before.failed} rows there and {after.failed} here"
        return f"{start}{change}; cannot tell, because {missing} have no verdict."
    value, interval = found.difference.value or 0.0, found.difference.interval
    told = f"{start}{change}, difference {_points(value)}"
    if interval is not None:
        told += f" (interval {_points(interval.low)} to {_points(interval.high)})"
    return f"{told}: {_WORDS[found.verdict]}.{_reach(each)}"


def _reach(each: ColumnComparison) -> str:
    """What these cases cannot tell, and how many it would take."""
    found = each.found
    if found.verdict is not Verdict.NO_EVIDENCE:
        return ""
    told = ""
    if found.minimum_detectable_effect is not None:
        told += f" So many tests show differences of {_points(found.minimum_detectable_effect)}"
        told += " or more."
    if found.cases_needed is not None:
        told += f" To tell a difference as observed takes about {found.cases_needed} tests."
    if not told:
        told = f" {found.caveat}" if found.caveat else ""
    return told


def _percent(share: float) -> str:
    return f"{share * 100:.1f} %"


def _points(share: float) -> str:
    return f"{share * 100:+.1f} points"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def comparison_document(report: BaselineReport) -> dict[str, Any]:
    return {
        "baseline": report.baseline,
        "isRegression": report.is_regression,
        "changedTests": report.changed,
        "unsharedTests": report.unshared,
        "unmatchedColumns": list(report.unmatched),
        "comparisons": [_document(each) for each in report.comparisons],
    }


def _document(each: ColumnComparison) -> dict[str, Any]:
    found, interval = each.found, each.found.difference.interval
    return {
        "measure": each.measure,
        "column": each.column,
        "baselineColumn": each.baseline_column,
        "verdict": found.verdict.value,
        "before": found.baseline_mean,
        "after": found.other_mean,
        "difference": found.difference.value,
        "interval": None if interval is None else [interval.low, interval.high],
        "tests": found.difference.cases,
        "improved": found.improved,
        "regressed": found.regressed,
        "adjustedPValue": found.adjusted_p_value,
        "minimumDetectableEffect": found.minimum_detectable_effect,
        "testsNeeded": found.cases_needed,
    }
