"""Entry point of the simulation: text in, text out.

It understands instructions in English only and ignores instructions in other languages; material
may be in any language. Temperature, seed, stop sequences and max tokens are applied.
"""

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation.answerer import Chance, answer
from edison.simulation.drafter import draft
from edison.simulation.generator import generate
from edison.simulation.habits import Habits
from edison.simulation.judge import judge
from edison.simulation.pairwise import compare
from edison.simulation.prompt_reader import whole_text
from edison.simulation.refiner import refine
from edison.simulation.request import ChatRequest, Sampling
from edison.simulation.roles import SimulatedRole, role_of
from edison.simulation.tiers import Tier

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedReply:
    """`is_cut_off`: the text reached max tokens."""

    text: str
    is_cut_off: bool
    input_tokens: int
    output_tokens: int


def count_tokens(text: str) -> int:
    """Deterministic: a token is four characters."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def simulate(prompt: ChatRequest, tier: Tier, sampling: Sampling, habits: Habits) -> SimulatedReply:
    text = whole_text(prompt)
    temperature = 0.7 if sampling.temperature is None else sampling.temperature
    chance = Chance(tier=tier, seed=sampling.seed or 0, temperature=temperature)
    said, is_cut_off = _limited(_play(text, prompt, chance, habits), sampling)
    return SimulatedReply(
        text=said,
        is_cut_off=is_cut_off,
        input_tokens=count_tokens(text),
        output_tokens=count_tokens(said),
    )


def _play(text: str, prompt: ChatRequest, chance: Chance, habits: Habits) -> str:
    match role_of(text, prompt.system):
        case SimulatedRole.ANSWERER:
            return answer(prompt, chance)
        case SimulatedRole.JUDGE:
            return judge(text, chance, habits)
        case SimulatedRole.PAIRWISE:
            return compare(text, chance, habits)
        case SimulatedRole.REFINER:
            return refine(text, chance, habits)
        case SimulatedRole.GENERATOR:
            return generate(text, chance)
        case SimulatedRole.DRAFTER:
            return draft(text, chance)


def _limited(text: str, sampling: Sampling) -> tuple[str, bool]:
    for stop in sampling.stop:
        text = text.split(stop, 1)[0] if stop else text
    limit = sampling.max_tokens
    if limit is not None and count_tokens(text) > limit:
        return text[: limit * CHARACTERS_PER_TOKEN], True
    return text, False
