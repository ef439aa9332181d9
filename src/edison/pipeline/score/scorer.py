"""The one small protocol behind which everything lives that turns an answer into a number.

A scorer is one file in `scorers/`. The file's name is its stored kind, and the class *is* its
settings: its fields draw the form in which it is configured. It sees a `Subject` and returns a
`Scored`; it knows neither run nor database, and reaches models only through its `Tools`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Protocol
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import ToolCall
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.parse import Malformation


class CostClass(StrEnum):
    """What scoring one answer takes. Stored and shown; never rename."""

    FREE = "free"
    LOCAL_MODEL = "local_model"
    LLM_CALL = "llm_call"


class Flag(StrEnum):
    """Why a score is missing or to be taken with care. Stored with scores; never rename."""

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


# Of scores that were asked for and could not be had; a value that comes with one stands in for it.
# Other flags say that a scorer does not apply, or are part of what it says.
UNREADABLE = frozenset(
    {Flag.SCORER_FAILED, Flag.JUDGE_FAILED, Flag.JUDGE_UNREADABLE, Flag.CODE_FAILED}
)


class NotApplicable(Exception):
    """A scorer has nothing to say about a subject: the score has no value, and says why."""

    def __init__(self, flag: Flag, reason: str) -> None:
        super().__init__(reason)
        self.flag = flag
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """An answer, and what is known about the case it answers.

    `text` is the answer as it came, `parsed` what the prompt asked for in it, if it asked for
    anything. What was not measured is None. `redacted` are the kinds of what was taken out of the
    answer, one for each place.
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
    redacted: tuple[str, ...] = ()

    @property
    def answer(self) -> str:
        """What is scored: the part the prompt asked for or, if it asked for none, everything."""
        return self.text if self.parsed is None else self.parsed

    def need_expected(self) -> str:
        """The expected answer. Raises NotApplicable when the case has none."""
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
    """What one judge of several says. One with a flag gave no verdict: its lowest score stands in
    for one.
    """

    model_id: UUID
    value: float
    criteria: Mapping[str, CriterionScore] = field(default_factory=dict)
    raw: str | None = None
    flag: Flag | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What a scorer says. `value` is in 0..1, None when it has nothing to say.

    `raw` is what the value was read from, such as a judge's words. A value that comes with a flag
    stands in for one that could not be had or, of several judges, for a part of them: `judges`
    holds what each says, by label. `judge_text` names the words that judges were told, with their
    version. `is_passed` and `cost_nanos` are set by whoever applies the scorer; the cost sums up
    its models' answers, and is None when one has no price.
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
    """What a scorer may use. Given by whoever scores; what these raise goes back to them."""

    async def ask(
        self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters
    ) -> Answer: ...


class Scorer(BaseModel, ABC):
    """One way to score. Instances are immutable and shared by concurrent calls.

    The class's docstring says exactly how it scores, for people; `description` is its short form.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    title: ClassVar[str]
    description: ClassVar[str]
    cost_class: ClassVar[CostClass] = CostClass.FREE
    is_instant: ClassVar[bool] = True
    """Whether, being free, it waits for nobody and nothing, so that its score can be stored
    together with the answer.
    """
    needs_expected: ClassVar[bool] = False
    """Whether it is of no use for cases without an expected answer, however it is configured."""
    is_pass_or_fail: ClassVar[bool] = False
    """Whether it gives nothing but 0 and 1, so that 1 passes when no threshold is set."""

    @classmethod
    def find_obstacle(cls) -> str | None:
        """Why nobody can use it on this machine, in a sentence; None when it can be used."""
        return None

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        """The models it asks, so that a run can be checked before it begins. Judges say theirs."""
        return ()

    @abstractmethod
    async def score(self, subject: Subject, tools: Tools) -> Scored:
        """Raises NotApplicable when it has nothing to say; any other exception is a bug."""

    def lowest(self, flag: Flag, rationale: str) -> Scored:
        """The worst score, for an answer that cannot be scored but must not do well for it."""
        return Scored(value=0.0, flag=flag, rationale=rationale)
