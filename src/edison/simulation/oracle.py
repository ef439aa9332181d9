"""True quality of a prompt, for tests and benchmarks only (enforced by an import rule).

The product must estimate quality by sampling and judging; here the hidden quality is computed
directly, on unseen cases.
"""

from collections.abc import Sequence
from typing import Literal

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation.answerer import Chance, answer
from edison.simulation.casework import SimulatedCase, make_cases
from edison.simulation.data import Split
from edison.simulation.facts import facts_of
from edison.simulation.request import ChatMessage, ChatRequest
from edison.simulation.tasks.recognition import TASKS
from edison.simulation.tiers import TIERS

_ROLES: tuple[Literal["user", "assistant"], ...] = ("user", "assistant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam:
    """Unseen cases of a task, answered by one model; held-out cases by default."""

    task: str
    model: str = "sim-medium"
    count: int = 600
    salt: str = "unseen"
    seed: int = 0
    split: Split = "holdout"

    def cases(self) -> list[SimulatedCase]:
        return make_cases(self.task, self.count, self.salt, split=self.split)


def answers(
    template: str, exam: Exam, *, system: str | None = None, shots: Sequence[tuple[str, str]] = ()
) -> list[tuple[SimulatedCase, str]]:
    """Answers to a prompt with variables in {{braces}}. `shots` are worked examples: question and
    answer.
    """
    shown = [
        ChatMessage(role=role, text=text)
        for shot in shots
        for role, text in zip(_ROLES, shot, strict=True)
    ]
    return [(case, _asked(template, case, exam, system, shown)) for case in exam.cases()]


def qualities(
    template: str, exam: Exam, *, system: str | None = None, shots: Sequence[tuple[str, str]] = ()
) -> list[float]:
    """True quality per case, 0 to 1."""
    found = answers(template, exam, system=system, shots=shots)
    return [true_quality(exam.task, case, text) for case, text in found]


def mean_quality(template: str, exam: Exam, *, system: str | None = None) -> float:
    found = qualities(template, exam, system=system)
    return sum(found) / len(found)


def true_quality(task: str, case: SimulatedCase, text: str) -> float:
    (material,) = case.inputs.values()
    return TASKS[task].quality(facts_of(material), text)


def _asked(
    template: str,
    case: SimulatedCase,
    exam: Exam,
    system: str | None,
    shown: Sequence[ChatMessage],
) -> str:
    text = template
    for name, value in case.inputs.items():
        text = text.replace("{{" + name + "}}", value)
    messages = (*shown, ChatMessage(role="user", text=text))
    prompt = ChatRequest(messages=messages, system=system)
    chance = Chance(tier=TIERS[exam.model], seed=exam.seed, temperature=0.7)
    return answer(prompt, chance)
