"""Compares an evaluation with an earlier one, case by case, and says what the cases can tell.

A row without an answer or a verdict is missing, not failed. Tests whose assertions changed are left
out: a stricter test is no regression.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from edison.evals.cells import resolved
from edison.evals.comparison import BaselineReport, ColumnComparison, Measure
from edison.evals.errors import ConfigError
from edison.evals.evaluations import read_id
from edison.evals.outputs.promptfoo import row_document
from edison.evals.repository import Evaluations
from edison.evals.results import EvalResults, RowResult, read_status
from edison.evals.start import case_assertions, case_tags
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.compare import Pair, compare_pairs
from edison.pipeline.aggregate.gaps import Gap
from edison.pipeline.aggregate.table import Floats, Ints
from edison.runs.store.outputs import Outputs
from edison.runs.store.repository import Runs

_ERROR = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRow:
    """A row of either side. `case` and `assertions` are equal exactly for equal ones. `score` is
    None for a row without a verdict.
    """

    case: bytes
    assertions: bytes
    provider: str
    prompt: str
    is_passed: bool
    score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierEvaluation:
    """Rows of an earlier evaluation, and how to describe new rows in the same form."""

    name: str
    rows: Sequence[MeasuredRow]
    describe: Callable[[RowResult], MeasuredRow]


def _key(*values: Any) -> bytes:
    return orjson.dumps(values, default=str, option=orjson.OPT_SORT_KEYS)


def read_file(path: Path) -> EarlierEvaluation:
    """Results that were written as JSON, by Edison or promptfoo. Raises ConfigError."""
    try:
        rows = orjson.loads(path.read_bytes())["results"]["results"]
        found = [_of_document(each) for each in rows]
    except OSError as wrong:
        raise ConfigError(f"{path} cannot be read: {wrong.strerror}.") from wrong
    except (ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise ConfigError(f"{path} holds no results of an evaluation.") from wrong
    return EarlierEvaluation(
        name=str(path), rows=found, describe=lambda row: _of_document(row_document(row))
    )


def _of_document(row: Mapping[str, Any]) -> MeasuredRow:
    test, provider = row["testCase"], row["provider"]
    has_verdict = row.get("failureReason") != _ERROR
    # As read from JSON: numbers that are equal there are equal here.
    return MeasuredRow(
        case=_key(test.get("vars") or {}, test.get("description") or ""),
        assertions=_key(test.get("assert") or [], test.get("threshold")),
        provider=provider.get("label") or provider["id"],
        prompt=row["prompt"]["label"],
        is_passed=bool(row["success"]),
        score=float(row["score"]) if has_verdict else None,
    )


async def read_stored(session: AsyncSession, text: str) -> EarlierEvaluation:
    """The evaluation with this id or with a run of this id. Raises ConfigError."""
    evaluation = await Evaluations(session).find(read_id(text))
    if evaluation is None:
        raise ConfigError(f"There is no evaluation or run {text}, and no such file.")
    found = []
    for run in await Evaluations(session).list_runs(evaluation.id):
        reading = Outputs(session)
        variants = await Runs(session).list_variants(run.id)
        cases = await reading.list_cases(run.id, 0, run.case_count)
        by_position = {each.position: each for each in cases}
        outputs = await reading.list_outputs(run.id, 0, run.case_count)
        scores = {
            each.output_id: each for each in await reading.list_scores([o.id for o in outputs])
        }
        for output in outputs:
            case, variant = by_position[output.case_position], variants[output.variant_position]
            is_passed, score = read_status(output, scores.get(output.id))
            found.append(
                MeasuredRow(
                    case=_key(case.inputs, list(case.tags)),
                    assertions=_key(case.assertions),
                    provider=variant.label.removeprefix(f"{variant.prompt_name} · "),
                    prompt=variant.prompt_name,
                    is_passed=is_passed,
                    score=score,
                )
            )
    return EarlierEvaluation(name=f"evaluation {evaluation.id}", rows=found, describe=_as_stored)


def read_measured(name: str, rows: Iterable[Mapping[str, Any]]) -> EarlierEvaluation:
    """A stored evaluation as the API gives it."""
    found = [
        MeasuredRow(
            **{**row, "case": row["case"].encode(), "assertions": row["assertions"].encode()}
        )
        for row in rows
    ]
    return EarlierEvaluation(name=name, rows=found, describe=_as_stored)


def _as_stored(row: RowResult) -> MeasuredRow:
    test, column = row.cell.row.test, row.cell.row.column
    document = case_assertions(test, column.provider.transform)
    stored = orjson.loads(_key(resolved(row.cell.vars), document))
    return MeasuredRow(
        case=_key(stored[0], list(case_tags(test))),
        assertions=_key(stored[1]),
        provider=column.provider.name,
        prompt=" ".join(column.prompt.label.split())[:100],
        is_passed=row.status == "passed",
        score=None if row.status == "error" else row.score,
    )


def compare_with(baseline: EarlierEvaluation, results: EvalResults) -> BaselineReport:
    before, after = baseline.rows, [baseline.describe(row) for row in results.rows]
    same, changed, unshared = _shared_cases(before, after)
    columns, unmatched = _match_columns(before, after)
    pairs: list[tuple[Measure, tuple[str, str], tuple[str, str], Pair]] = []
    for old, new in columns:
        for measure in _measures(before, after, old, new):
            sides = [_side(before, old, same, measure), _side(after, new, same, measure)]
            pair = Pair(
                baseline=_name(old),
                other=_name(new),
                baseline_scores=sides[0][0],
                other_scores=sides[1][0],
                baseline_gaps=sides[0][1],
                other_gaps=sides[1][1],
            )
            pairs.append((measure, old, new, pair))
    found = compare_pairs([pair for *_, pair in pairs])
    return BaselineReport(
        baseline=baseline.name,
        comparisons=[
            ColumnComparison(
                measure=measure, column=_name(new), baseline_column=_name(old), found=each
            )
            for (measure, old, new, _), each in zip(pairs, found, strict=True)
        ],
        changed=changed,
        unshared=unshared,
        unmatched=unmatched,
    )


def _name(column: tuple[str, str]) -> str:
    return f"{column[0]} · {column[1]}"


def _shared_cases(
    before: Iterable[MeasuredRow], after: Iterable[MeasuredRow]
) -> tuple[list[bytes], int, int]:
    """Cases to compare, the number with other assertions, and the number on one side only."""
    old, new = ({each.case: each.assertions for each in rows} for rows in (before, after))
    both = [case for case in old if case in new]
    same = [case for case in both if old[case] == new[case]]
    return same, len(both) - len(same), len(old) + len(new) - 2 * len(both)


def _match_columns(
    before: Iterable[MeasuredRow], after: Iterable[MeasuredRow]
) -> tuple[list[tuple[tuple[str, str], tuple[str, str]]], list[str]]:
    """Columns of the same provider and prompt; of those that are left, columns of the same provider
    in their order, because a changed text changes the name of its prompt.
    """
    old, new = (
        list(dict.fromkeys((each.provider, each.prompt) for each in rows))
        for rows in (before, after)
    )
    matched = [(each, each) for each in new if each in old]
    left: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for each in old:
        if each not in new:
            left[each[0]].append(each)
    unmatched = []
    for each in new:
        if each in old:
            continue
        if left[each[0]]:
            matched.append((left[each[0]].pop(0), each))
        else:
            unmatched.append(_name(each))
    unmatched += [_name(each) for rest in left.values() for each in rest]
    return matched, unmatched


def _measures(
    before: Iterable[MeasuredRow],
    after: Iterable[MeasuredRow],
    old: tuple[str, str],
    new: tuple[str, str],
) -> list[Measure]:
    """Also the score, where it says more than pass or fail."""
    rows = [each for each in before if (each.provider, each.prompt) == old]
    rows += [each for each in after if (each.provider, each.prompt) == new]
    is_graded = any(each.score is not None and each.score != each.is_passed for each in rows)
    return ["pass rate", "score"] if is_graded else ["pass rate"]


def _side(
    rows: Iterable[MeasuredRow], column: tuple[str, str], cases: Sequence[bytes], measure: Measure
) -> tuple[Floats, Ints]:
    """Means over repeats by case, and the gaps."""
    found: dict[bytes, list[float]] = {}
    for row in rows:
        if (row.provider, row.prompt) == column:
            values = found.setdefault(row.case, [])
            if row.score is not None:
                score = min(1.0, max(0.0, row.score))
                values.append(float(row.is_passed) if measure == "pass rate" else score)
    scores = [float(np.mean(found[case])) if found.get(case) else np.nan for case in cases]
    gaps = [Gap.FAILED if found.get(case) == [] else Gap.NONE for case in cases]
    return np.array(scores, dtype=np.float64), np.array(gaps, dtype=np.int64)
