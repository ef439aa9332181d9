"""Asks a model for an answer in a given form, with one repair request if the answer is unreadable.
Judges use it for verdicts, refiners for edits.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Generic, TypeVar
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.score.model_text import ModelText
from edison.pipeline.score.quote import neutralise
from edison.pipeline.score.scorer import Flag, Tools
from edison.pipeline.score.verdict import LONGEST_VERDICT, UnreadableVerdict

TEMPERATURE = 0.3
SEED = 42
# The first answer, and one repair.
_ATTEMPTS = 2
# Max characters of an unusable reply that are shown to the model in the repair request.
_SHOWN_REPLY = 4000

Meaning = TypeVar("Meaning")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """The prompt, and the form its answer must have."""

    prompt: RenderedPrompt
    text: ModelText
    form: str

    def again(self, said: str, problem: str) -> "Inquiry":
        """The inquiry with a repair request added after an unusable reply."""
        # Not every provider accepts an empty message.
        shown = neutralise(said[:_SHOWN_REPLY])[:_SHOWN_REPLY].strip() or "(nothing)"
        repair = self.text.repair.render({"problem": problem, "form": self.form})
        added = (Message(role="assistant", text=shown), Message(role="user", text=repair))
        return replace(self, prompt=replace(self.prompt, messages=(*self.prompt.messages, *added)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Readable(Generic[Meaning]):
    """A reply that was parsed. `is_repaired`: at the second attempt."""

    said: str
    meaning: Meaning
    is_repaired: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """`said` is the last reply. `problem` says what is wrong with it, or with the call if `failure`
    is set.
    """

    said: str
    problem: str
    failure: CallFailed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReply(Generic[Meaning]):
    """A judge's reply and its parsed verdict. When `meaning` is None there is no verdict: `flag`
    gives the reason as a code, and `problem` as a sentence.
    """

    said: str
    meaning: Meaning | None = None
    flag: Flag | None = None
    problem: str = ""


@lru_cache(maxsize=64)
def judge_parameters(max_tokens: int, *, turn: int = 0) -> Parameters:
    """`turn` changes the seed, so that a repeated question is not answered from the cache."""
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
