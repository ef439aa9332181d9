"""Asks a model for an answer of a form. What cannot be read is asked for once more, and then given
up. Judges are asked for their verdicts so, refiners for their edits.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar
from uuid import UUID

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.score.model_text import ModelText
from edison.pipeline.score.quote import neutralise
from edison.pipeline.score.scorer import Flag, Tools
from edison.pipeline.score.verdict import LONGEST_VERDICT, UnreadableVerdict

TEMPERATURE = 0.3
SEED = 42
# The answer, and once more if it cannot be read.
_ATTEMPTS = 2
# Of a reply that cannot be used, this much is shown to the model again.
_SHOWN_REPLY = 4000

Meaning = TypeVar("Meaning")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """What a model is asked, and in which form it is to answer."""

    prompt: RenderedPrompt
    text: ModelText
    form: str

    def again(self, said: str, problem: str) -> "Inquiry":
        """The same, after a reply that cannot be used."""
        # Not every provider takes an empty message.
        shown = neutralise(said[:_SHOWN_REPLY])[:_SHOWN_REPLY].strip() or "(nothing)"
        repair = self.text.repair.render({"problem": problem, "form": self.form})
        added = (Message(role="assistant", text=shown), Message(role="user", text=repair))
        return replace(self, prompt=replace(self.prompt, messages=(*self.prompt.messages, *added)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Readable(Generic[Meaning]):
    """A reply that could be read, at the second attempt if it `is_repaired`."""

    said: str
    meaning: Meaning
    is_repaired: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """`said` is the last reply; without a `failure` of a call, `problem` says what is wrong with
    it."""

    said: str
    problem: str
    failure: CallFailed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReply(Generic[Meaning]):
    """What a judge said, and what that means. When `meaning` is None there is no verdict: `flag`
    says why to programs, and `problem` to people.
    """

    said: str
    meaning: Meaning | None = None
    flag: Flag | None = None
    problem: str = ""


def judge_parameters(max_tokens: int, *, turn: int = 0) -> Parameters:
    """Who is asked more than once about the same gets a seed of its own each time, lest it be
    answered from what is kept of the first.
    """
    return Parameters(temperature=TEMPERATURE, seed=SEED + turn, max_tokens=max_tokens)


async def ask_until_readable(
    tools: Tools,
    model_id: UUID,
    inquiry: Inquiry,
    parameters: Parameters,
    read: Callable[[str], Meaning],
) -> Readable[Meaning] | Unreadable:
    """`read` raises UnreadableVerdict."""
    said, problem = "", ""
    for attempt in range(_ATTEMPTS):
        answer = await tools.ask(model_id, inquiry.prompt, parameters)
        if isinstance(answer.outcome, CallFailed):
            failure = answer.outcome
            return Unreadable(said=said, problem=failure.message, failure=failure)
        said = answer.outcome.text
        try:
            return Readable(said=said, meaning=read(said), is_repaired=attempt > 0)
        except UnreadableVerdict as unreadable:
            problem = str(unreadable)
            inquiry = inquiry.again(said, problem)
    return Unreadable(said=said, problem=problem)


async def ask_for_verdict(
    tools: Tools,
    model_id: UUID,
    inquiry: Inquiry,
    parameters: Parameters,
    read: Callable[[str], Meaning],
) -> JudgeReply[Meaning]:
    """`read` raises UnreadableVerdict."""
    reply = await ask_until_readable(tools, model_id, inquiry, parameters, read)
    if isinstance(reply, Readable):
        return JudgeReply(said=reply.said, meaning=reply.meaning)
    if reply.failure is not None:
        flag, problem = Flag.JUDGE_FAILED, reply.problem
    else:
        flag, problem = (
            Flag.JUDGE_UNREADABLE,
            f"The judge's verdict cannot be read. {reply.problem}",
        )
    return JudgeReply(said=reply.said[:LONGEST_VERDICT], flag=flag, problem=problem)
