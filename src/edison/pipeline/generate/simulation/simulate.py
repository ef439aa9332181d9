"""Text in, text out: the whole simulation behind one function.

It understands instructions in English only; in any other language they are not heeded, though
material may be in any language. Temperature, seed, stop sequences and the token limit are heeded.
"""

from dataclasses import dataclass

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import FinishReason, Usage
from edison.pipeline.generate.simulation.answerer import Chance, answer
from edison.pipeline.generate.simulation.drafter import draft
from edison.pipeline.generate.simulation.generator import generate
from edison.pipeline.generate.simulation.habits import Habits
from edison.pipeline.generate.simulation.judge import judge
from edison.pipeline.generate.simulation.pairwise import compare
from edison.pipeline.generate.simulation.reading import whole_text
from edison.pipeline.generate.simulation.refiner import refine
from edison.pipeline.generate.simulation.roles import Role, role_of
from edison.pipeline.generate.simulation.tiers import Tier
from edison.pipeline.render.prompt import RenderedPrompt

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    text: str
    finish_reason: FinishReason
    usage: Usage


def count_tokens(text: str) -> int:
    """Deterministic and simple: a token is four characters."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def simulate(prompt: RenderedPrompt, tier: Tier, parameters: Parameters, habits: Habits) -> Reply:
    text = whole_text(prompt)
    temperature = 0.7 if parameters.temperature is None else parameters.temperature
    chance = Chance(tier=tier, seed=parameters.seed or 0, temperature=temperature)
    said, reason = _limited(_play(text, prompt, chance, habits), parameters)
    usage = Usage(input_tokens=count_tokens(text), output_tokens=count_tokens(said))
    return Reply(text=said, finish_reason=reason, usage=usage)


def _play(text: str, prompt: RenderedPrompt, chance: Chance, habits: Habits) -> str:
    match role_of(text, prompt.system):
        case Role.ANSWERER:
            return answer(prompt, chance)
        case Role.JUDGE:
            return judge(text, chance, habits)
        case Role.PAIRWISE:
            return compare(text, chance, habits)
        case Role.REFINER:
            return refine(text, chance, habits)
        case Role.GENERATOR:
            return generate(text, chance)
        case Role.DRAFTER:
            return draft(text, chance)


def _limited(text: str, parameters: Parameters) -> tuple[str, FinishReason]:
    for stop in parameters.stop or ():
        text = text.split(stop, 1)[0] if stop else text
    limit = parameters.max_tokens
    if limit is not None and count_tokens(text) > limit:
        return text[: limit * CHARACTERS_PER_TOKEN], FinishReason.LENGTH
    return text, FinishReason.STOP
