"""Assertions in the form of promptfoo, and what they say about an answer.

An assertion has a type, optionally with `not-` in front, and mostly a value and a threshold. It
gives a `Verdict`. An assertion that cannot be evaluated raises `RowError`: then the whole row is an
error and has no other verdicts.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from typing import Any, Protocol

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.nunjucks.javascript import UNDEFINED, to_json
from edison.pipeline.score.sandbox.limited import LimitExceeded, limited_workers

PASSED = "Assertion passed"
_LONGEST_AT_ONCE = 5_000


class RowError(Exception):
    """The row is an error, not a failure. The message is a sentence for users."""


class Unsupported(RowError):
    """The assertion needs something that Edison does not have here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """One assertion, or a set of them (`assert-set`) in `members`.

    `value` is UNDEFINED when there is none. `settings` are all its fields as written.
    """

    type: str
    value: Any = UNDEFINED
    threshold: Any = None
    weight: float = 1.0
    metric: str | None = None
    transform: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    members: tuple["Assertion", ...] | None = None

    @property
    def is_inverse(self) -> bool:
        return self.type.startswith("not-")

    @property
    def base_type(self) -> str:
        return self.type.removeprefix("not-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What is known of the answer besides its text. Absent values are None."""

    cost: float | None = None
    latency_ms: float | None = None
    finish_reason: str | None = None
    log_probs: tuple[float, ...] | None = None
    guardrails: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssertionRow:
    """An answer and its test. `output` is a text or a JSON value; `provider` is the configuration
    of the model, with its tools and functions.
    """

    output: Any
    vars: Mapping[str, Any] = field(default_factory=dict)
    prompt: str = ""
    response: Response = Response()
    provider: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


class Grader(Protocol):
    """Models for graded assertions. Raises GraderFailed."""

    async def ask(self, assertion: Assertion, messages: list[dict[str, str]]) -> str: ...

    async def embed(self, assertion: Assertion, text: str) -> list[float]: ...


class GraderFailed(Exception):
    """The model did not answer. The message is a sentence for users."""


class TrustedPython(Protocol):
    """Runs Python code of a configuration outside of the sandbox. Only the command line has one:
    there the code has the rights of the person who starts it. Raises ValueError with the message of
    the exception.
    """

    async def run(self, code: str, output: Any, context: Mapping[str, Any]) -> Any: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What assertions may use besides the row."""

    grader: Grader | None = None
    python: TrustedPython | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssertionVerdict:
    """`score` may be any number, also NaN. `components` are the verdicts that it is made of."""

    is_passed: bool
    score: float
    reason: str
    type: str | None = None
    metric: str | None = None
    named_scores: Mapping[str, float] = field(default_factory=dict)
    named_weights: Mapping[str, float] = field(default_factory=dict)
    components: tuple["AssertionVerdict", ...] = ()
    output: Any = UNDEFINED
    """The answer after the transforms of the row; UNDEFINED without any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """An assertion to evaluate: `value` is its value with the variables filled in, `output` the
    answer after the assertion's transform.
    """

    assertion: Assertion
    value: Any
    output: Any
    row: AssertionRow
    services: Services

    @property
    def is_inverse(self) -> bool:
        return self.assertion.is_inverse

    @property
    def text(self) -> str:
        """Raises RowError when a transform left nothing that has a text."""
        if self.output is UNDEFINED:
            raise RowError("The answer has no text.")
        return output_text(self.output)

    def threshold(self, default: float) -> float:
        found = self.assertion.threshold
        return default if found is None else found

    def decide(self, is_true: bool, failure: str) -> AssertionVerdict:
        """A verdict of 0 or 1, turned by `not-`."""
        is_passed = is_true is not self.is_inverse
        return AssertionVerdict(
            is_passed=is_passed,
            score=float(is_passed),
            reason=PASSED if is_passed else failure,
        )

    def measure(self, score: float, default: float, name: str) -> AssertionVerdict:
        """A verdict by a threshold; `not-` turns the score, too."""
        threshold = self.threshold(default)
        is_enough = score >= threshold
        word = "at least" if is_enough else "less than"
        return AssertionVerdict(
            is_passed=is_enough is not self.is_inverse,
            score=1 - score if self.is_inverse else score,
            reason=f"{name} {score:.4f} is {word} {threshold:g}.",
        )


Handler = Callable[[Check], Awaitable[AssertionVerdict]]


def computed(decide: Callable[[Check], AssertionVerdict]) -> Handler:
    """A handler that waits for nothing. Long answers are left to a thread."""

    async def handle(check: Check) -> AssertionVerdict:
        if isinstance(check.output, str) and len(check.output) <= _LONGEST_AT_ONCE:
            return decide(check)
        return await asyncio.to_thread(decide, check)

    return handle


async def ask_worker(question: Any) -> Any:
    """Work for a limited worker. Raises RowError when it takes too much."""
    try:
        return await limited_workers().ask(question)
    except LimitExceeded as too_much:
        raise RowError(str(too_much)) from too_much


def require(condition: object, message: str) -> None:
    """Raises RowError when the condition does not hold."""
    if not condition:
        raise RowError(message)


def output_text(output: Any) -> str:
    """Texts as they are, other values as compact JSON."""
    return output if isinstance(output, str) else str(to_json(output))
