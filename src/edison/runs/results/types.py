"""The figures of a run by case and variant."""

from datetime import datetime

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.table import Floats, Ints, PairTable, Singles, TableCase
from edison.runs.results.cells import CellArrays
from edison.runs.results.layout import ResultLayout


@dataclass(frozen=True, slots=True, kw_only=True)
class RunArrays:
    """The figures of a run at a number, without statistics. `composites`, `passed` (share of
    passes) and `disagreement` are by case and variant, NaN where missing; `criteria` also by
    criterion. `gaps` say why a composite is missing. Equal `case_keys` in two runs mean equal
    cases. `pairs` are the pairwise comparisons.
    """

    number: int
    made_at: datetime
    layout: ResultLayout
    pairs: PairTable | None
    case_keys: tuple[str, ...]
    cases: tuple[TableCase, ...]
    cells: CellArrays
    composites: Floats
    passed: Floats
    gaps: Ints
    criteria: Singles
    disagreement: Floats
