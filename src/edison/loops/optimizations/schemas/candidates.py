"""Candidates with their prompts and scores."""

from typing import Any
from uuid import UUID

from edison.api.schema import Schema
from edison.library.prompts.schemas import FewShotRead
from edison.loops.optimizations.states import CandidateOrigin, CandidateState
from edison.pipeline.refine.suggestion import Operator


class EliminationRead(Schema):
    """Why a candidate was dropped: `rival` was better by `-difference` on `cases` shared cases."""

    rival: int
    difference: float
    cases: int
    p_value: float
    alpha: float


class CandidateSummary(Schema):
    """A candidate; number 0 is the base ("no change"). `mean` is over its training cases, `gain`
    the mean difference from the base on shared cases, with its 95 % interval.
    """

    number: int
    generation: int
    origin: CandidateOrigin
    operator: Operator | None
    state: CandidateState
    parents: list[int]
    note: str
    mean: float | None
    gain: float | None
    gain_low: float | None
    gain_high: float | None
    cases: int
    elimination: EliminationRead | None


class PromptPartsRead(Schema):
    """The parts of a prompt that strategies may change."""

    text: str
    system: str | None
    few_shots: list[FewShotRead]


class CaseScoreRead(Schema):
    """The scores of a training case: the candidate's and the base's. `inputs` is null if the case
    was deleted or changed meanwhile.
    """

    key: str
    case_id: UUID | None
    inputs: dict[str, Any] | None
    score: float
    base: float | None


class CandidateRead(CandidateSummary):
    """A candidate in full. `text`, `system` and `few_shots` are the whole prompt, `base` that of
    the base, `diff` is against it. `scores` are by the key of the training case; `case_scores` are
    the same with their cases, the greatest losses first.
    """

    text: str
    system: str | None
    few_shots: list[FewShotRead]
    base: PromptPartsRead
    diff: str
    targets: list[str]
    scores: dict[str, float]
    case_scores: list[CaseScoreRead]
