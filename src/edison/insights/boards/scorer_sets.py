"""Scorer sets: runs whose scores mean the same."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from edison.insights.boards.repository import BoardRun
from edison.insights.boards.schemas import BoardScorerRead
from edison.kit.lazy_dataclasses import dataclass
from edison.runs.store.models import RunScorer

# Key of the set of runs without scorers.
NO_SCORERS = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerSet:
    scorers: Sequence[BoardScorerRead]
    run_ids: set[UUID]


def list_sets(runs: Sequence[BoardRun], scorers: Sequence[RunScorer]) -> dict[str, ScorerSet]:
    """The scorer sets of the runs by key, the most used first."""
    by_run: dict[UUID, list[RunScorer]] = {run.id: [] for run in runs}
    for scorer in scorers:
        by_run[scorer.run_id].append(scorer)
    keys = {run.id: _key_of(by_run[run.id]) for run in runs}
    sets: dict[str, ScorerSet] = {}
    for key, _ in Counter(keys.values()).most_common():
        run_ids = {run_id for run_id, each in keys.items() if each == key}
        shown = by_run[next(iter(run_ids))]
        sets[key] = ScorerSet(
            scorers=[
                BoardScorerRead(kind=each.kind, label=each.label, weight=each.weight)
                for each in shown
            ],
            run_ids=run_ids,
        )
    return sets


def _key_of(scorers: Sequence[RunScorer]) -> str:
    """Equal for runs whose scores mean the same."""
    if not scorers:
        return NO_SCORERS
    described = sorted(
        json.dumps(
            [each.kind, each.options, each.weight, each.threshold, each.is_negated],
            sort_keys=True,
            default=str,
        )
        for each in scorers
    )
    return hashlib.sha256("\n".join(described).encode()).hexdigest()[:16]
