"""Status, cost and latency of each cell, by case and variant, over repeats."""

from array import array
from collections.abc import Sequence
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.groups import mean_by
from edison.pipeline.aggregate.table import Bools, Floats, Ints

STATUSES = {"ok": 1, "error": 2, "malformed": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class CellArrays:
    """Arrays with the axes case and variant. `statuses` are bit masks over the repeats; NaN means
    unknown.
    """

    statuses: Ints
    nanos: Floats
    seconds: Floats

    @property
    def failed(self) -> Bools:
        """Cells with at least one failed answer."""
        return np.asarray((self.statuses & STATUSES["error"]) > 0)


class CellColumns:
    def __init__(self) -> None:
        self._case, self._variant, self._status = array("q"), array("q"), array("q")
        self._nanos, self._seconds = array("d"), array("d")

    def add(self, columns: Sequence[Sequence[Any]]) -> None:
        """Adds columns of `ResultRows.list_outputs`."""
        _, _, case, variant, _, status, nanos, seconds, *_ = columns
        self._case.extend(case)
        self._variant.extend(variant)
        self._status.extend(map(STATUSES.__getitem__, status))
        self._nanos.frombytes(np.array(nanos, dtype=np.float64).tobytes())
        self._seconds.frombytes(np.array(seconds, dtype=np.float64).tobytes())

    def cells(self, case_count: int, variant_count: int) -> CellArrays:
        shape = (case_count, variant_count)
        size = case_count * variant_count
        places = (np.array(self._case, dtype=np.int64), np.array(self._variant, dtype=np.int64))
        key = np.ravel_multi_index(places, shape)
        statuses = np.zeros(size, dtype=np.int64)
        np.bitwise_or.at(statuses, key, np.array(self._status, dtype=np.int64))
        return CellArrays(
            statuses=statuses.reshape(shape),
            nanos=mean_by(key, np.array(self._nanos), size).reshape(shape),
            seconds=mean_by(key, np.array(self._seconds), size).reshape(shape),
        )
