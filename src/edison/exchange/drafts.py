"""What a file becomes, before anything is stored."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from edison.evals.plan import EvalProvider
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.schemas.datasets import CaseRequest
from edison.library.prompts.schemas import PromptContent


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that is not imported. `place` is a file with its line."""

    what: str
    reason: str
    place: str | None = None
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftPrompt:
    """`source` says what it was in the file."""

    source: str
    name: str
    content: PromptContent


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftDataset:
    source: str
    name: str
    cases: list[CaseRequest]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftModel:
    source: str
    provider: EvalProvider


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftScorer:
    """`graders` are the providers that its assertions name, by what the scorer looks them up with;
    `grader` is the one of all tests. `needs_grader`: a model grades, and none is named.
    """

    source: str
    name: str
    assertions: list[dict[str, Any]]
    threshold: float | None = None
    case_input: str = ""
    count: int = 0
    is_graded: bool = False
    needs_grader: bool = False
    grader: EvalProvider | None = None
    graders: Mapping[str, EvalProvider] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Draft:
    """The contents of a file."""

    name: str
    prompts: list[DraftPrompt] = field(default_factory=list)
    datasets: list[DraftDataset] = field(default_factory=list)
    scorers: list[DraftScorer] = field(default_factory=list)
    models: list[DraftModel] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)


def counted(found: list[LeftOut]) -> list[LeftOut]:
    """Equal ones once, with how often they occur."""
    times: Counter[LeftOut] = Counter()
    for each in found:
        alone = LeftOut(what=each.what, reason=each.reason, place=each.place)
        times[alone] += each.count
    return [
        LeftOut(what=each.what, reason=each.reason, place=each.place, count=count)
        for each, count in times.items()
    ]


def counted_noun(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
