"""Chance: seeded, the same everywhere, half of it the case's."""

import os
import subprocess
import sys
from statistics import correlation

import pytest

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.simulation import luck
from edison.pipeline.generate.simulation.habits import Habits
from edison.pipeline.generate.simulation.material import demo_tasks
from edison.pipeline.generate.simulation.oracle import Exam, qualities
from edison.pipeline.generate.simulation.simulate import simulate
from edison.pipeline.generate.simulation.tiers import TIERS
from edison.pipeline.render.prompt import Message, RenderedPrompt
from tests.pipeline.simulation.playing import TASK_KEYS, fill, say, with_lines

SCRIPT = """
import hashlib
from edison.pipeline.generate.simulation.material import demo_tasks
from edison.pipeline.generate.simulation.oracle import Exam, answers
digest = hashlib.sha256()
for key, task in demo_tasks().items():
    exam = Exam(task=key, count=40)
    for case, text in answers(task.improved, exam):
        digest.update(text.encode())
print(digest.hexdigest())
"""


def test_half_of_the_luck_is_shared_between_prompts() -> None:
    first, second, elsewhere = [], [], []
    for case in range(2000):
        first.extend(luck.blended(case=(case,), prompt=("a", case)))
        second.extend(luck.blended(case=(case,), prompt=("b", case)))
        elsewhere.extend(luck.blended(case=(case, "other"), prompt=("a", case, "other")))
    assert abs(correlation(first, second) - 0.5) < 0.02
    assert abs(correlation(first, elsewhere)) < 0.02


@pytest.mark.parametrize("key", TASK_KEYS)
def test_prompts_that_say_the_same_agree_on_cases_but_not_wholly(key: str) -> None:
    starter = demo_tasks()[key].starter
    reworded = with_lines(starter, "This matters to us.")
    exam = Exam(task=key)
    assert 0.2 < correlation(qualities(starter, exam), qualities(reworded, exam)) < 0.8


def test_draws_are_uniform() -> None:
    draws = [luck.uniform("draw", number) for number in range(20_000)]
    for tenth in range(10):
        share = sum(tenth / 10 <= draw < (tenth + 1) / 10 for draw in draws) / len(draws)
        assert abs(share - 0.1) < 0.01


def test_answers_do_not_depend_on_the_process() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_another_seed_brings_other_luck_and_temperature_zero_none() -> None:
    demo = demo_tasks()["support"]
    texts = [fill(demo.starter, case.inputs) for case in demo.cases]
    assert [say(text) for text in texts] == [say(text) for text in texts]
    assert [say(text) for text in texts] != [say(text, seed=1) for text in texts]
    cold = [
        simulate(
            RenderedPrompt(messages=(Message(role="user", text=texts[0]),)),
            TIERS["sim-medium"],
            Parameters(seed=seed, temperature=0),
            Habits(),
        )
        for seed in (0, 1, 2)
    ]
    assert cold[0] == cold[1] == cold[2]
