"""Types of a planned run, before it is stored."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any
from uuid import UUID

from edison.jobs.job import Priority
from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.schemas.datasets import CaseChoice
from edison.library.models.service import CallableModel
from edison.pipeline.generate.call import Parameters
from edison.pipeline.render.prompt_template import PromptTemplate

# Large enough that claiming a chunk is cheap, small enough that runs take turns.
CELLS_PER_CHUNK = 384
LONGEST_LABEL = 200
# `version_label` of variants without a prompt; their `prompt_name` holds the whole template.
AS_IS = "as is"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedVariant:
    """`version_id` is None in an estimate, which creates no version, and for edited parts. A
    variant that was planned from a text has no prompt either.
    """

    label: str
    prompt_id: UUID | None
    prompt_name: str
    version_id: UUID | None
    version_label: str
    template: PromptTemplate
    parts: Mapping[str, Any]
    model: CallableModel
    fallback: CallableModel | None
    parameters: Parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedParts:
    """Parts that replace those of a variant's prompt version, such as a suggested text: the variant
    has no version of its own. `label` is shown in place of the version's.
    """

    label: str
    parts: Mapping[str, Any]


def disambiguate_labels(variants: Sequence[PlannedVariant]) -> list[PlannedVariant]:
    """Appends the differing parameters to labels that occur more than once."""
    alike: dict[str, list[PlannedVariant]] = defaultdict(list)
    for variant in variants:
        alike[variant.label].append(variant)
    return [_described(variant, alike[variant.label]) for variant in variants]


def _described(variant: PlannedVariant, alike: Sequence[PlannedVariant]) -> PlannedVariant:
    differing = [
        name
        for name in (field.name for field in fields(Parameters))
        if any(
            getattr(other.parameters, name) != getattr(variant.parameters, name) for other in alike
        )
    ]
    if not differing:
        return variant
    values = [
        f"{name.replace('_', ' ')} {_shown(getattr(variant.parameters, name))}"
        for name in differing
    ]
    room = LONGEST_LABEL - len(described := f" · {', '.join(values)}"[:LONGEST_LABEL])
    return replace(variant, label=variant.label[:room] + described)


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(repr, value)) or "none"
    return "unset" if value is None else str(value)


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCase:
    """One of a dataset has only its inputs here: the database copies it into the run."""

    inputs: Mapping[str, Any]
    expected: str | None = None
    tags: tuple[str, ...] = ()
    assertions: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedScorer:
    kind: str
    label: str
    options: Mapping[str, Any]
    weight: float
    threshold: float | None
    is_negated: bool
    scorer_version_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedComparer:
    kind: str
    label: str
    options: Mapping[str, Any]
    baseline: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """`chosen` says which cases of the dataset; None for all. While the dataset's `updated_at` is
    `dataset_changed_at`, reading it again would give the same cases.
    """

    name: str
    variants: Sequence[PlannedVariant]
    cases: Sequence[PlannedCase]
    scorers: Sequence[PlannedScorer]
    repeats: int
    dataset_id: UUID | None
    dataset_name: str | None
    dataset_changed_at: datetime | None = None
    chosen: CaseChoice | None = None
    comparers: Sequence[PlannedComparer] = ()
    redaction: Mapping[str, Any] | None = None
    failed_count_zero: bool = False

    @property
    def cell_count(self) -> int:
        return len(self.variants) * len(self.cases) * self.repeats

    @property
    def comparison_count(self) -> int:
        return sum(self.comparisons_by(each) for each in self.comparers)

    def comparisons_by(self, comparer: PlannedComparer) -> int:
        pairs = pairs_of(len(self.variants), comparer.baseline)
        return len(pairs) * len(self.cases) * self.repeats

    @property
    def cases_per_chunk(self) -> int:
        return cases_per_chunk(variants=len(self.variants), repeats=self.repeats)


def pairs_of(variants: int, baseline: int | None) -> list[tuple[int, int]]:
    """The pairs of variant positions to compare, lower position first."""
    pairs = combinations(range(variants), 2)
    return [pair for pair in pairs if baseline is None or baseline in pair]


def cases_per_chunk(*, variants: int, repeats: int) -> int:
    """Chunks hold whole cases, so that answers to one case can be compared within a chunk."""
    return max(1, CELLS_PER_CHUNK // (variants * repeats))


def chunk_ranges(case_count: int, size: int) -> list[tuple[int, int]]:
    """First position and end position (exclusive) of each chunk."""
    return [(first, min(first + size, case_count)) for first in range(0, case_count, size)]


def personal_lock(origin: str, project_id: UUID, user_id: UUID | None) -> str:
    """Lock name that allows each user one active run of this origin in a project."""
    return f"{origin}:{project_id}:{user_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """The run that a new run repeats, and for a replay the run whose answers it reads."""

    parent_id: UUID
    replay_of_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """The origin and settings of a run. `lock_name` names a resource that allows one active run;
    `scope_ids` are budget scopes besides the project; `keep_for` is the maximum age of cached
    answers. `keeps_judgements`: a run with new answers may reuse judgements of identical ones.
    """

    project_id: UUID
    origin: str
    author_id: UUID | None
    priority: Priority = Priority.NORMAL
    lock_name: str | None = None
    scope_ids: tuple[UUID, ...] = ()
    keep_for: timedelta | None = timedelta(hours=1)
    keeps_judgements: bool = False
