"""Results of an evaluation in code, and how two of them compare."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edison.sdk.scorers import Score

if TYPE_CHECKING:
    from edison.pipeline.aggregate.results import VariantComparison
    from edison.sdk.client import Client

_FORMAT = "edison-evaluation"
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """`expected` may be None. Cases of two evaluations are the same when their ids are equal or,
    without ids, their inputs.
    """

    inputs: Any
    expected: Any = None
    id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        if self.id is not None:
            return f"id:{self.id}"
        text = json.dumps(self.inputs, sort_keys=True, default=str)
        return f"inputs:{hashlib.sha256(text.encode()).hexdigest()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`error` is what the task raised; such a row has no scores."""

    case: Case
    repeat: int = 0
    output: Any = None
    error: str | None = None
    scores: Mapping[str, Score] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A mean over cases with its 95 % interval, which a single case does not have."""

    scorer: str
    value: float | None
    low: float | None
    high: float | None
    cases: int
    missing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreComparison:
    """A scorer before and after. `verdict` is `better`, `worse`, `no_evidence` or `cannot_tell`,
    corrected for the number of scorers. `cases_needed` could show a difference as observed.
    """

    scorer: str
    before: float | None
    after: float | None
    difference: float | None
    low: float | None
    high: float | None
    verdict: str
    cases: int
    cases_needed: int | None

    def __str__(self) -> str:
        if self.difference is None:
            return f"{self.scorer}: no case has a score on both sides."
        text = f"{self.scorer}: {self.before:.3f} → {self.after:.3f} over {self.cases} cases"
        text += f", difference {self.difference:+.3f}"
        if self.low is not None and self.high is not None:
            text += f" (interval {self.low:+.3f} to {self.high:+.3f})"
        text += f": {self.verdict.replace('_', ' ')}."
        if self.verdict == "no_evidence" and self.cases_needed is not None:
            text += f" To tell it takes about {self.cases_needed} cases."
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationResult:
    name: str
    scorers: Sequence[str]
    rows: Sequence[Row]

    @property
    def errors(self) -> list[Row]:
        return [row for row in self.rows if row.error is not None]

    def means(self) -> list[Mean]:
        """The mean of each scorer over cases; repeats of a case count as one."""
        import numpy as np

        from edison.pipeline.aggregate.estimate import estimate_means

        found = []
        for name in self.scorers:
            by_case = self._by_case(name)
            values = [np.nan if each is None else each for each in by_case.values()]
            (estimate,) = estimate_means(np.array(values, dtype=np.float64).reshape(-1, 1))
            interval = estimate.interval
            found.append(
                Mean(
                    scorer=name,
                    value=estimate.value,
                    low=None if interval is None else interval.low,
                    high=None if interval is None else interval.high,
                    cases=estimate.cases,
                    missing=len(values) - estimate.cases,
                )
            )
        return found

    def _by_case(self, scorer: str) -> dict[str, float | None]:
        """Means over repeats; None where there is no score."""
        values: dict[str, list[float]] = {}
        for row in self.rows:
            of_case = values.setdefault(row.case.key, [])
            score = row.scores.get(scorer)
            if score is not None and score.value is not None:
                of_case.append(score.value)
        return {key: sum(each) / len(each) if each else None for key, each in values.items()}

    def compare(self, baseline: "EvaluationResult") -> list[ScoreComparison]:
        """Compares with an earlier result, case by case, for the scorers that both have."""
        import numpy as np

        from edison.pipeline.aggregate.compare import Pair, compare_pairs
        from edison.pipeline.aggregate.gaps import Gap

        names = [each for each in self.scorers if each in baseline.scorers]
        pairs = []
        for name in names:
            before, after = baseline._by_case(name), self._by_case(name)
            shared = [key for key in before if key in after]
            sides = [[side[key] for key in shared] for side in (before, after)]
            scores = [np.array([np.nan if v is None else v for v in side]) for side in sides]
            gaps = [
                np.array([Gap.FAILED if v is None else Gap.NONE for v in side], dtype=np.int64)
                for side in sides
            ]
            pairs.append(
                Pair(
                    baseline=name,
                    other=name,
                    baseline_scores=scores[0],
                    other_scores=scores[1],
                    baseline_gaps=gaps[0],
                    other_gaps=gaps[1],
                )
            )
        return [_comparison(each) for each in compare_pairs(pairs)]

    def assert_no_regression(self, baseline: "EvaluationResult") -> None:
        """Raises AssertionError on evidence that a score became worse, or when too many scores are
        missing to compare.
        """
        found = self.compare(baseline)
        wrong = [each for each in found if each.verdict in ("worse", "cannot_tell")]
        wrong += [each for each in found if not each.cases and each not in wrong]
        if not found:
            raise AssertionError("The results have no scorer in common.")
        if wrong:
            raise AssertionError("\n".join(map(str, wrong)))

    def store(
        self, *, client: "Client | None" = None, tags: Mapping[str, str] | None = None
    ) -> str:
        """Stores the result in Edison as a completed run and returns its address. Raises
        ApiError.
        """
        from edison.sdk.store import store_results

        return store_results([self], name=self.name, tags=tags, client=client)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One flat object per row, with a key for each scorer."""
        return [
            {
                "id": row.case.id,
                "inputs": row.case.inputs,
                "expected": row.case.expected,
                "repeat": row.repeat,
                "output": row.output,
                "error": row.error,
                "seconds": row.seconds,
                **{name: each.value for name, each in row.scores.items()},
            }
            for row in self.rows
        ]

    def to_pandas(self) -> Any:
        """A data frame of the rows. Needs pandas."""
        import pandas  # type: ignore[import-not-found, import-untyped, unused-ignore]

        return pandas.DataFrame(self.to_dicts())

    def save(self, path: str | Path) -> None:
        """Writes the result as JSON, for `load` and later comparisons."""
        document = {
            "format": _FORMAT,
            "version": _VERSION,
            "name": self.name,
            "scorers": list(self.scorers),
            "rows": [asdict(row) for row in self.rows],
        }
        target = Path(path)
        partial = target.with_name(f".{target.name}.partial")
        partial.write_text(json.dumps(document, default=str, ensure_ascii=False))
        partial.replace(target)

    @classmethod
    def load(cls, path: str | Path) -> "EvaluationResult":
        """Reads what `save` wrote. Raises ValueError for anything else."""
        try:
            document = json.loads(Path(path).read_text())
            return cls(
                name=document["name"],
                scorers=document["scorers"],
                rows=[row_of(each) for each in document["rows"]],
            )
        except (ValueError, KeyError, TypeError) as wrong:
            raise ValueError(f"{path} holds no result of an evaluation.") from wrong


def row_of(given: Mapping[str, Any]) -> Row:
    scores = {name: Score(**each) for name, each in given["scores"].items()}
    return Row(**{**given, "case": Case(**given["case"]), "scores": scores})


def compare(baseline: EvaluationResult, other: EvaluationResult) -> list[ScoreComparison]:
    return other.compare(baseline)


def assert_no_regression(baseline: EvaluationResult, other: EvaluationResult) -> None:
    other.assert_no_regression(baseline)


def _comparison(found: "VariantComparison") -> ScoreComparison:
    interval = found.difference.interval
    return ScoreComparison(
        scorer=found.other,
        before=found.baseline_mean,
        after=found.other_mean,
        difference=found.difference.value,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        verdict=found.verdict.value,
        cases=found.difference.cases,
        cases_needed=found.cases_needed,
    )
