"""The demo material hangs together and the hidden rules know their own words."""

import pytest

from edison.pipeline.generate.simulation.casework import bodies, make_cases
from edison.pipeline.generate.simulation.directives import SPECIFIC, VAGUE, precision
from edison.pipeline.generate.simulation.facts import facts_of
from edison.pipeline.generate.simulation.material import demo_tasks
from edison.pipeline.generate.simulation.tasks.classification import truth
from edison.pipeline.generate.simulation.tasks.recognition import TASKS, recognise
from tests.pipeline.simulation.playing import TASK_KEYS


@pytest.mark.parametrize("key", TASK_KEYS)
def test_demo_tasks_are_complete(key: str) -> None:
    task = demo_tasks()[key]
    assert 24 <= len(task.cases) <= 40
    assert len({tuple(case.inputs.values()) for case in task.cases}) == len(task.cases)
    assert sum(case.split == "holdout" for case in task.cases) == 8
    assert len({case.difficulty for case in task.cases}) >= 3
    assert all(case.tags and case.expected for case in task.cases)
    assert sum(one.weight for one in task.rubric) == pytest.approx(1)
    for prompt in (task.starter, task.improved):
        assert "{{" + task.variable + "}}" in prompt
        assert recognise(prompt).key == key


@pytest.mark.parametrize("key", TASK_KEYS)
def test_expected_outputs_keep_every_rule(key: str) -> None:
    for case in make_cases(key, 120, "expected"):
        (material,) = case.inputs.values()
        assert TASKS[key].quality(facts_of(material), case.expected) == pytest.approx(1), case


@pytest.mark.parametrize("key", TASK_KEYS)
def test_every_rule_recognises_its_own_wording_and_no_other(key: str) -> None:
    for rule in TASKS[key].rules:
        assert precision(rule, rule.directive) == SPECIFIC, rule.key
        assert precision(rule, rule.hint) == VAGUE, rule.key
        for other in TASKS[key].rules:
            if other is not rule:
                assert precision(other, rule.directive) == 0, (rule.key, other.key)


@pytest.mark.parametrize(
    ("key", "rule", "sentence"),
    [
        ("support", "name", "Please start with the customer's first name."),
        ("support", "short", "The reply must stay under 90 words."),
        ("support", "promise", "You should never promise a refund to anyone."),
        ("support", "deadline", "Tell them when they will get an update, within 24 hours."),
        ("extraction", "iso", "All dates must be in ISO format: convert them to YYYY-MM-DD."),
        ("extraction", "nulls", "If a value is missing, set it to null."),
        ("classification", "bare", "Reply with only the label."),
        ("summary", "lead", "Begin with the outcome of the meeting."),
        ("summary", "short", "Use two sentences."),
    ],
)
def test_rules_understand_other_wordings(key: str, rule: str, sentence: str) -> None:
    (found,) = [one for one in TASKS[key].rules if one.key == rule]
    assert precision(found, sentence) == SPECIFIC


def test_labels_of_the_pool_are_the_truth() -> None:
    for body in bodies("classification"):
        assert truth(body["text"]) == body["label"]
