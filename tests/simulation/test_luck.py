"""Randomness: seeded, the same everywhere, half of it shared by case."""

import os
import subprocess
import sys
from pathlib import Path
from statistics import correlation

import pytest

from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.simulation import seeded
from edison.simulation.habits import Habits
from edison.simulation.material import demo_tasks
from edison.simulation.oracle import Exam, qualities
from edison.simulation.request import Sampling
from edison.simulation.simulate import simulate
from edison.simulation.tiers import TIERS
from tests.simulation.playing import TASK_KEYS, fill, say, with_lines

ROOT = Path(__file__).parents[2]
# Every role, so that no result depends on set order or hashes.
SCRIPT = """
import hashlib
from edison.simulation.material import demo_tasks
from edison.simulation.oracle import Exam, answers
from tests.simulation import templates
from tests.simulation.playing import say
digest = hashlib.sha256()
pairs = (templates.OBJECTIVES, templates.RUBRIC, templates.PROMPTS)
texts = ["\\n\\n".join(pair) for pair in pairs]
texts.append("\\n\\n".join(templates.CASES).replace("{count}", "9"))
texts.append("What is the capital of France?")
for key, task in demo_tasks().items():
    found = answers(task.improved, Exam(task=key, count=40))
    shown = [(case.inputs, text) for case, text in answers(task.starter, Exam(task=key, count=6))]
    texts.append(templates.refining(task, task.starter, shown))
    for case, text in found:
        digest.update(text.encode())
        texts.append(templates.judging(task, case.inputs, text))
        texts.append(templates.comparing(task, case.inputs, text, case.expected))
for text in texts:
    digest.update(say(text).encode())
print(digest.hexdigest())
"""


def test_half_of_the_randomness_is_shared_between_prompts() -> None:
    first, second, elsewhere = [], [], []
    for case in range(2000):
        first.extend(seeded.blended(case=(case,), prompt=("a", case)))
        second.extend(seeded.blended(case=(case,), prompt=("b", case)))
        elsewhere.extend(seeded.blended(case=(case, "other"), prompt=("a", case, "other")))
    assert abs(correlation(first, second) - 0.5) < 0.02
    assert abs(correlation(first, elsewhere)) < 0.02


@pytest.mark.parametrize("key", TASK_KEYS)
def test_equivalent_prompts_correlate_partially_by_case(key: str) -> None:
    starter = demo_tasks()[key].starter
    reworded = with_lines(starter, "This matters to us.")
    exam = Exam(task=key)
    assert 0.2 < correlation(qualities(starter, exam), qualities(reworded, exam)) < 0.8


def test_draws_are_uniform() -> None:
    draws = [seeded.uniform("draw", number) for number in range(20_000)]
    for tenth in range(10):
        share = sum(tenth / 10 <= draw < (tenth + 1) / 10 for draw in draws) / len(draws)
        assert abs(share - 0.1) < 0.01


def test_answers_do_not_depend_on_the_process() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_randomness_depends_on_the_seed_and_vanishes_at_temperature_zero() -> None:
    demo = demo_tasks()["support"]
    texts = [fill(demo.starter, case.inputs) for case in demo.cases]
    assert [say(text) for text in texts] == [say(text) for text in texts]
    assert [say(text) for text in texts] != [say(text, seed=1) for text in texts]
    cold = [
        simulate(
            RenderedPrompt(messages=(Message(role="user", text=texts[0]),)),
            TIERS["sim-medium"],
            Sampling(seed=seed, temperature=0),
            Habits(),
        )
        for seed in (0, 1, 2)
    ]
    assert cold[0] == cold[1] == cold[2]
