"""Asks a judge for a verdict. What cannot be read is asked for once more, and then given up."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar
from uuid import UUID

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.score.fencing import neutralise
from edison.pipeline.score.rubrics import JudgeText
from edison.pipeline.score.scorer import Flag, Tools
from edison.pipeline.score.verdict import LONGEST_VERDICT, UnreadableVerdict

TEMPERATURE = 0.3
SEED = 42
# The verdict, and once more if it cannot be read.
_ATTEMPTS = 2
# Of a reply that cannot be used, this much is shown to the judge again.
_SHOWN_REPLY = 4000

Meaning = TypeVar("Meaning")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """What a judge is asked, and in which form it is to answer."""

    prompt: RenderedPrompt
    text: JudgeText
    form: str

    def again(self, said: str, problem: str) -> "Inquiry":
        """The same, after a reply that cannot be used."""
        # Not every provider takes an empty message.
        shown = neutralise(said[:_SHOWN_REPLY])[:_SHOWN_REPLY].strip() or "(nothing)"
        repair = self.text.repair.render({"problem": problem, "form": self.form})
        added = (Message(role="assistant", text=shown), Message(role="user", text=repair))
        return replace(self, prompt=replace(self.prompt, messages=(*self.prompt.messages, *added)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Generic[Meaning]):
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


async def ask_for_verdict(
    tools: Tools,
    model_id: UUID,
    inquiry: Inquiry,
    parameters: Parameters,
    read: Callable[[str], Meaning],
) -> Verdict[Meaning]:
    """`read` raises UnreadableVerdict."""
    said, problem = "", ""
    for _ in range(_ATTEMPTS):
        answer = await tools.ask(model_id, inquiry.prompt, parameters)
        if isinstance(answer.outcome, CallFailed):
            return Verdict(
                said=said[:LONGEST_VERDICT],
                flag=Flag.JUDGE_FAILED,
                problem=answer.outcome.message,
            )
        said = answer.outcome.text
        try:
            return Verdict(said=said, meaning=read(said))
        except UnreadableVerdict as unreadable:
            problem = str(unreadable)
            inquiry = inquiry.again(said, problem)
    return Verdict(
        said=said[:LONGEST_VERDICT],
        flag=Flag.JUDGE_UNREADABLE,
        problem=f"The judge's verdict cannot be read. {problem}",
    )
