"""Base class of scorers, which turn an answer into a score.

A scorer is one module in `scorers/`. The module's name is its stored kind, and the class *is* its
settings: its fields define the form of its options. It takes a `Subject` and returns a `Scored`; it
has no access to the run or the database, and calls models only through its `Tools`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any, ClassVar, Protocol
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from edison.kit.errors import FieldProblem
from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import ToolCall
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.parse import Malformation


class ScorerGroup(StrEnum):
    """What a scorer looks at, in the order in which people choose."""

    TEXT = "text"
    EXPECTED = "expected"
    FORMAT = "format"
    LIMITS = "limits"
    JUDGES = "judges"
    SAFETY = "safety"
    OWN = "own"


class CostClass(StrEnum):
    """Resources needed to score one answer. Stored and shown; never rename."""

    FREE = "free"
    LOCAL_MODEL = "local_model"
    LLM_CALL = "llm_call"


class Flag(StrEnum):
    """Why a score is missing or less reliable. Stored with scores; never rename."""

    MALFORMED = "malformed"
    NO_EXPECTED = "no_expected"
    UNUSABLE_EXPECTED = "unusable_expected"
    NOT_MEASURED = "not_measured"
    TOO_LONG = "too_long"
    SCORER_FAILED = "scorer_failed"
    JUDGE_FAILED = "judge_failed"
    JUDGE_UNREADABLE = "judge_unreadable"
    ORDERS_DISAGREE = "orders_disagree"
    NO_ANSWER = "no_answer"
    EXTRA_MISSING = "extra_missing"
    CODE_FAILED = "code_failed"
    UNAVAILABLE = "unavailable"
    BLOCKED = "blocked"


# Flags of scores that could not be obtained; a value with such a flag is a placeholder. Other flags
# say that a scorer does not apply, or are part of its result.
UNREADABLE = frozenset(
    {Flag.SCORER_FAILED, Flag.JUDGE_FAILED, Flag.JUDGE_UNREADABLE, Flag.CODE_FAILED}
)


class NotApplicable(Exception):
    """The scorer does not apply to the subject: the score has no value, and `flag` says why."""

    def __init__(self, flag: Flag, reason: str) -> None:
        super().__init__(reason)
        self.flag = flag
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseAssertions:
    """Assertions of a case in the form of promptfoo, added to those of the scorer. The threshold
    replaces the scorer's. `options` are those of a promptfoo test, such as `transform`.
    """

    assertions: Sequence[Mapping[str, Any]] = ()
    threshold: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """An answer and its case.

    `text` is the complete answer; `parsed` is the part the prompt asked for, if any. Values that
    were not measured are None. `prompt` is the rendered prompt, given to scorers with
    `reads_prompt`. `redacted` lists the kinds of text removed from the answer, one per
    occurrence.
    """

    text: str
    parsed: str | None = None
    malformed: Malformation | None = None
    expected: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    latency_seconds: float | None = None
    cost_nanos: int | None = None
    output_tokens: int | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    redacted: tuple[str, ...] = ()
    prompt: str | None = None
    assertions: CaseAssertions | None = None

    @property
    def answer(self) -> str:
        """The text to score: the part the prompt asked for or, if it asked for none, everything."""
        return self.text if self.parsed is None else self.parsed

    def need_expected(self) -> str:
        """Returns the expected answer. Raises NotApplicable when the case has none."""
        if self.expected is None:
            raise NotApplicable(Flag.NO_EXPECTED, "The case has no expected answer.")
        return self.expected


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionScore:
    """`raw` is on the criterion's own scale, `value` in 0..1."""

    value: float
    raw: float
    rationale: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeScore:
    """Score by one of several judges. With a flag the judge gave no verdict, and the lowest score
    is its placeholder.
    """

    model_id: UUID
    value: float
    criteria: Mapping[str, CriterionScore] = field(default_factory=dict)
    raw: str | None = None
    flag: Flag | None = None
    problem: str | None = None


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Result of a scorer. `value` is in 0..1; None when the scorer does not apply.

    `raw` is the source of the value, such as a judge's reply. A value with a flag is a placeholder
    for a missing one or, with several judges, partly based on placeholders: `judges` holds each
    judge's score by label. `judge_text` names the judge prompt with its version. `is_passed` is set
    by a scorer that decides it otherwise than by its value, and else by `apply.apply`; so is
    `cost_nanos`, the sum over the scorer's model calls, which is None when one has no price.
    """

    value: float | None
    rationale: str | None = None
    raw: str | None = None
    criteria: Mapping[str, CriterionScore] = field(default_factory=dict)
    flag: Flag | None = None
    judges: Mapping[str, JudgeScore] = field(default_factory=dict)
    judge_text: str | None = None
    is_passed: bool | None = None
    cost_nanos: int | None = 0


class Tools(Protocol):
    """Model access for scorers, supplied by the caller. Exceptions propagate to the caller."""

    async def ask(
        self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters
    ) -> Answer: ...


class Scorer(BaseModel, ABC):
    """One way to score. Instances are immutable and shared by concurrent calls.

    The class docstring states exactly how it scores, for users; `description` is the short form.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    title: ClassVar[str]
    description: ClassVar[str]
    group: ClassVar[ScorerGroup]
    example: ClassVar[str]
    """One case with its score, in a sentence."""
    cost_class: ClassVar[CostClass] = CostClass.FREE
    is_instant: ClassVar[bool] = True
    """Whether a free scorer needs no waiting, so that its score is stored together with the
    answer.
    """
    needs_expected: ClassVar[bool] = False
    """Whether it requires an expected answer in any configuration."""
    reads_prompt: ClassVar[bool] = False
    """Whether it uses the rendered prompt."""
    is_pass_or_fail: ClassVar[bool] = False
    """Whether it gives only 0 and 1, so that 1 passes when no threshold is set."""

    @classmethod
    def find_obstacle(cls) -> str | None:
        """Why the scorer is unavailable on this machine, as a sentence; None when it is
        available.
        """
        return None

    async def find_mistake(self) -> FieldProblem | None:
        """What is wrong with an option, if looking at its value is not enough. A scorer with a
        mistake is not saved.
        """
        return None

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        """The models it calls, so that a run can be validated before it starts. Overridden by
        judges.
        """
        return ()

    def count_calls(
        self, inputs: Mapping[str, Any], assertions: CaseAssertions | None
    ) -> Mapping[UUID, int]:
        """The calls for one answer to a case, by model; at most, for estimates."""
        return dict.fromkeys(self.model_ids, 1)

    @abstractmethod
    async def score(self, subject: Subject, tools: Tools) -> Scored:
        """Raises NotApplicable when the scorer does not apply; any other exception is a bug."""

    def lowest(self, flag: Flag, rationale: str) -> Scored:
        """The lowest score, for an answer that cannot be scored and must not benefit from that."""
        return Scored(value=0.0, flag=flag, rationale=rationale)
