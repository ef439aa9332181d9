"""Content of the demo project: prompts, rubric and cases for each of the four tasks."""

from functools import lru_cache

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation.casework import VARIABLES, make_cases
from edison.simulation.data import Split, read_data

TRAIN_CASES = 24
HOLDOUT_CASES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoCriterion:
    name: str
    description: str
    weight: float
    minimum: int = 0
    maximum: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoCase:
    inputs: dict[str, str]
    expected: str
    tags: tuple[str, ...]
    difficulty: int
    split: Split


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoTask:
    """`improved` states every hidden rule that matters; `starter` states none."""

    key: str
    name: str
    goal: str
    variable: str
    starter: str
    improved: str
    rubric: tuple[DemoCriterion, ...]
    cases: tuple[DemoCase, ...]


@lru_cache(maxsize=1)
def demo_tasks() -> dict[str, DemoTask]:
    written = read_data("demo")
    return {
        key: DemoTask(
            key=key,
            name=task["name"],
            goal=task["goal"],
            variable=VARIABLES[key],
            starter=task["starter"].strip(),
            improved=task["improved"].strip(),
            rubric=tuple(DemoCriterion(**criterion) for criterion in task["rubric"]),
            cases=_cases(key),
        )
        for key, task in written.items()
    }


def _cases(key: str) -> tuple[DemoCase, ...]:
    counts: dict[Split, int] = {"train": TRAIN_CASES, "holdout": HOLDOUT_CASES}
    return tuple(
        DemoCase(
            inputs=case.inputs,
            expected=case.expected,
            tags=case.tags,
            difficulty=case.difficulty,
            split=split,
        )
        for split, count in counts.items()
        for case in make_cases(key, count, "demo", split=split)
    )
