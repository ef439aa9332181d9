"""Calls the simulation as the product does: text in, text out."""

from functools import lru_cache
from math import sqrt
from statistics import mean, stdev

from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.simulation.habits import Habits
from edison.simulation.oracle import Exam, qualities
from edison.simulation.request import Sampling
from edison.simulation.simulate import simulate
from edison.simulation.tiers import TIERS

TASK_KEYS = ("support", "extraction", "classification", "summary")
MODELS = ("sim-small", "sim-medium", "sim-large")
SOUND = Habits(broken_json_rate=0, broken_diff_rate=0)


def say(
    text: str,
    *,
    system: str | None = None,
    model: str = "sim-medium",
    seed: int = 0,
    habits: Habits = SOUND,
) -> str:
    prompt = RenderedPrompt(messages=(Message(role="user", text=text),), system=system)
    return simulate(prompt, TIERS[model], Sampling(seed=seed), habits).text


def fill(template: str, inputs: dict[str, str]) -> str:
    for name, value in inputs.items():
        template = template.replace("{{" + name + "}}", value)
    return template


def with_lines(template: str, lines: str) -> str:
    """Additional instructions, placed before the material."""
    head, _, material = template.rpartition("\n\n")
    return f"{head}\n{lines}\n\n{material}"


@lru_cache(maxsize=512)
def truth(prompt: str, exam: Exam) -> list[float]:
    return qualities(prompt, exam)


def gain(changed: str, base: str, exam: Exam) -> tuple[float, float]:
    """Mean paired difference of true quality on unseen cases, and its z value."""
    pairs = zip(truth(changed, exam), truth(base, exam), strict=True)
    differences = [after - before for after, before in pairs]
    if not any(differences):
        return 0.0, 0.0
    error = stdev(differences) / sqrt(len(differences))
    return mean(differences), mean(differences) / error
