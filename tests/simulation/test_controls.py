"""The simulation is not rigged: only real instructions help. Measured by the hidden truth on unseen
cases, with fixed seeds; 600 cases detect differences of about 0.02.
"""

from statistics import mean

import pytest

from edison.simulation.data import Split
from edison.simulation.directives import Rule
from edison.simulation.facts import facts_of
from edison.simulation.material import demo_tasks
from edison.simulation.oracle import Exam, answers, mean_quality, qualities
from edison.simulation.tasks.recognition import TASKS
from tests.simulation.playing import MODELS, TASK_KEYS, gain, with_lines
from tests.support.thorough import IS_THOROUGH

PLACES = (
    "weather moon river garden train market window harbour forest bridge tower lamp chair mirror"
)
CHORES = "\n".join(
    f"- Mention the {place} {when} in a fitting place."
    for place in PLACES.split(" ")
    for when in ("once", "again")
)


def directives(task: str) -> str:
    return "\n".join(rule.directive for rule in TASKS[task].rules)


@pytest.mark.parametrize("task", TASK_KEYS)
def test_no_change_changes_nothing(task: str) -> None:
    starter = demo_tasks()[task].starter
    assert qualities(starter, Exam(task=task)) == qualities(starter, Exam(task=task))


@pytest.mark.parametrize("split", ["train", "holdout"])
@pytest.mark.parametrize("task", TASK_KEYS)
@pytest.mark.parametrize("model", MODELS if IS_THOROUGH else MODELS[1:2])
def test_real_directives_gain_much(task: str, model: str, split: Split) -> None:
    demo = demo_tasks()[task]
    found, z = gain(demo.improved, demo.starter, Exam(task=task, model=model, split=split))
    assert found > 0.3
    assert z > 20


def times_kept(template: str, rule: Rule, exam: Exam) -> float:
    """The share of applicable cases in which the rule is kept."""
    found = [(facts_of(*case.inputs.values()), text) for case, text in answers(template, exam)]
    return mean(rule.check(facts, text) for facts, text in found if rule.applies(facts))


@pytest.mark.parametrize("task", TASK_KEYS)
def test_every_single_directive_works(task: str) -> None:
    starter, exam = demo_tasks()[task].starter, Exam(task=task, count=250)
    for rule in TASKS[task].rules:
        asked = times_kept(with_lines(starter, rule.directive), rule, exam)
        assert asked > times_kept(starter, rule, exam) + 0.1, rule.key


@pytest.mark.parametrize("task", TASK_KEYS)
def test_precise_wording_beats_vague_wording(task: str) -> None:
    starter = demo_tasks()[task].starter
    vague = with_lines(starter, "\n".join(rule.hint for rule in TASKS[task].rules))
    precise = with_lines(starter, directives(task))
    helped, z = gain(vague, starter, Exam(task=task))
    assert helped > 0.05
    assert z > 4
    assert gain(precise, vague, Exam(task=task))[0] > 0.1


@pytest.mark.parametrize("task", TASK_KEYS)
def test_asking_for_the_opposite_hurts(task: str) -> None:
    starter = demo_tasks()[task].starter
    opposites = {
        "support": "Do not greet the customer by name.\nNever state a next step.",
        "extraction": "Do not use null.\nDo not return only the JSON object.",
        "classification": "Do not answer with the label only.\nNever use other when in doubt.",
        "summary": "Do not keep the figures.\nDo not start with the decision.",
    }
    assert gain(with_lines(starter, opposites[task]), starter, Exam(task=task))[0] < -0.01


@pytest.mark.parametrize("split", ["train", "holdout"])
@pytest.mark.parametrize("task", TASK_KEYS)
def test_larger_models_are_better(task: str, split: Split) -> None:
    demo = demo_tasks()[task]
    for prompt in (demo.starter, demo.improved):
        small, medium, large = (
            mean_quality(prompt, Exam(task=task, model=model, split=split)) for model in MODELS
        )
        assert small + 0.02 < medium
        assert medium + 0.02 < large


@pytest.mark.parametrize("task", TASK_KEYS)
@pytest.mark.parametrize("model", MODELS if IS_THOROUGH else MODELS[:1])
def test_overload_hurts(task: str, model: str) -> None:
    improved = demo_tasks()[task].improved
    found, z = gain(with_lines(improved, CHORES), improved, Exam(task=task, model=model))
    assert found < -0.08
    assert z < -10


@pytest.mark.parametrize("task", TASK_KEYS)
def test_pasting_the_rubric_helps_but_is_not_the_optimum(task: str) -> None:
    demo = demo_tasks()[task]
    rubric = "\n".join(f"{one.name}: {one.description}" for one in demo.rubric)
    pasted = with_lines(demo.starter, rubric)
    helped, z = gain(pasted, demo.starter, Exam(task=task))
    assert helped > 0.02
    assert z > 3
    assert gain(demo.improved, pasted, Exam(task=task))[0] > 0.25


def test_difficult_cases_are_harder() -> None:
    exam = Exam(task="support", model="sim-small", count=1500)
    found = qualities(demo_tasks()["support"].improved, exam)
    strain = [facts_of(*case.inputs.values()).difficulty for case in exam.cases()]
    easy = mean(q for q, hard in zip(found, strain, strict=True) if hard < 0.05)
    hard = mean(q for q, hard in zip(found, strain, strict=True) if hard > 0.2)
    assert hard < easy - 0.03
