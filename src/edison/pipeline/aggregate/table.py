"""Input of the statistics: the scores of one run, or its pairwise comparisons, as columns.

A row of a `ScoreTable` is one score by one scorer for one output on one criterion. Columns hold
positions in the tuples next to them, so a table of a million rows stays small.

- A value is in 0..1. NaN means that the score was requested but is missing: it is left out, and
  counted as missing.
- No row means that no score was requested, because the scorer does not apply or has not run yet:
  it is not counted.
- A scorer with several criteria has a row for each; any other is its own only criterion. Judges
  with the same rubric share its criteria.
- Human raters are scorers too. Their scores of a criterion replace automatic ones; their `OVERALL`
  scores replace the output's composite.
"""

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.render.length_bucket import LengthBucket

if TYPE_CHECKING:
    from edison.kit.lazy_numpy import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]
    Texts = NDArray[np.str_]
else:
    # Reading a type of NumPy loads it.
    Floats = Singles = Ints = Bools = Texts = Any

OVERALL = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCase:
    """`key` is the same in every table that has the case, so that two runs can be paired."""

    key: str
    tags: tuple[str, ...] = ()
    length: LengthBucket | None = None
    difficulty: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableVariant:
    """`family` is that of its model, to detect judges that score their own family."""

    key: str
    family: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableScorer:
    """A source of scores: a scorer, a judge (with its model's family) or a human rater."""

    key: str
    family: str | None = None
    is_judge: bool = False
    is_human: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCriterion:
    """Weights need not sum to 1. A criterion with weight 0 is shown but not counted."""

    key: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """`passed` is 1, 0, or NaN where there is no threshold; `output_length` is in characters.
    `is_random` marks human scores of outputs that were drawn at random; None means no output was.
    """

    cases: tuple[TableCase, ...]
    variants: tuple[TableVariant, ...]
    scorers: tuple[TableScorer, ...]
    criteria: tuple[TableCriterion, ...]
    case: Ints
    variant: Ints
    scorer: Ints
    criterion: Ints
    repeat: Ints
    value: Floats
    passed: Floats | None = None
    output_length: Floats | None = None
    is_random: Bools | None = None

    def __post_init__(self) -> None:
        columns = (self.case, self.variant, self.scorer, self.criterion, self.repeat, self.value)
        optional = (self.passed, self.output_length, self.is_random)
        present: list[Floats | Ints | Bools] = [
            *columns,
            *(column for column in optional if column is not None),
        ]
        if {column.shape for column in present} != {(len(self.value),)}:
            raise ValueError("All columns of a table have the same length.")
        if len({case.key for case in self.cases}) < len(self.cases):
            raise ValueError("Two cases have the same key.")
        if not self.case.size:
            return
        for column, owners in (
            (self.case, self.cases),
            (self.variant, self.variants),
            (self.scorer, self.scorers),
        ):
            _check_positions(column, lowest=0, count=len(owners))
        _check_positions(self.criterion, lowest=OVERALL, count=len(self.criteria))
        if self.repeat.min() < 0:
            raise ValueError("Repeats are counted from 0.")
        if ((self.value < 0) | (self.value > 1)).any():
            raise ValueError("A score is in 0..1, or NaN.")
        if any(not 0 <= criterion.weight < np.inf for criterion in self.criteria):
            raise ValueError("A weight is not negative.")

    @property
    def is_human(self) -> Bools:
        """Whether each row is a human score."""
        return np.array([scorer.is_human for scorer in self.scorers], dtype=bool)[self.scorer]

    @property
    def drawn_at_random(self) -> Bools:
        """Whether each row's output was drawn at random."""
        nothing = np.zeros(len(self.value), dtype=bool)
        return nothing if self.is_random is None else self.is_random

    def where(self, rows: Bools) -> Self:
        """Returns the table with these rows only."""
        columns = {
            field.name: column[rows]
            for field in fields(self)
            if isinstance(column := getattr(self, field.name), np.ndarray)
        }
        return type(self)(
            cases=self.cases,
            variants=self.variants,
            scorers=self.scorers,
            criteria=self.criteria,
            **columns,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTable:
    """A row is one comparison by one judge: `first` and `second` are the variants in the order
    shown; `outcome` is 1 for the first, -1 for the second, 0 for a tie.
    """

    cases: tuple[TableCase, ...]
    variants: tuple[TableVariant, ...]
    judges: tuple[TableScorer, ...]
    case: Ints
    judge: Ints
    first: Ints
    second: Ints
    outcome: Ints

    def __post_init__(self) -> None:
        columns = (self.case, self.judge, self.first, self.second, self.outcome)
        if {column.shape for column in columns} != {(len(self.outcome),)}:
            raise ValueError("All columns of a table have the same length.")
        if not self.case.size:
            return
        for column, owners in (
            (self.case, self.cases),
            (self.judge, self.judges),
            (self.first, self.variants),
            (self.second, self.variants),
        ):
            _check_positions(column, lowest=0, count=len(owners))
        if (self.first == self.second).any():
            raise ValueError("A variant is not compared with itself.")
        if not np.isin(self.outcome, (-1, 0, 1)).all():
            raise ValueError("An outcome is 1, 0 or -1.")


def _check_positions(column: Ints, *, lowest: int, count: int) -> None:
    if column.min() < lowest or column.max() >= count:
        raise ValueError("A column points to something that is not in the table.")
