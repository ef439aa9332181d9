"""The demo material is consistent, its splits share no text, and the hidden rules recognise their
own wordings.
"""

import re
from collections.abc import Iterable

import pytest

from edison.simulation.casework import make_cases, pool
from edison.simulation.data import Split
from edison.simulation.directives import SPECIFIC, VAGUE, precision
from edison.simulation.facts import facts_of
from edison.simulation.material import demo_tasks
from edison.simulation.sentences import split_sentences
from edison.simulation.tasks.classification import truth
from edison.simulation.tasks.recognition import TASKS, recognise
from tests.simulation.playing import TASK_KEYS, say

SPLITS: tuple[Split, Split] = ("train", "holdout")


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


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("key", TASK_KEYS)
def test_expected_outputs_keep_every_rule(key: str, split: Split) -> None:
    for case in make_cases(key, 120, "expected", split=split):
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


@pytest.mark.parametrize("split", SPLITS)
def test_labels_of_the_pool_are_the_truth(split: Split) -> None:
    for body in pool("classification", split).bodies:
        assert truth(body["text"]) == body["label"]


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("key", TASK_KEYS)
def test_every_rule_matters_in_both_splits(key: str, split: Split) -> None:
    found = [facts_of(*case.inputs.values()) for case in make_cases(key, 120, split=split)]
    for rule in TASKS[key].rules:
        assert sum(rule.applies(facts) for facts in found) >= 5, rule.key


def without_names_and_numbers(texts: Iterable[str]) -> set[str]:
    """Sentences without capitalised words and figures."""
    plain = (
        re.sub(r"\W+", " ", re.sub(r"\{\w+\}|\b[A-Z]\w*|[\w.,/-]*\d[\w.,/-]*", "", sentence))
        for text in texts
        for sentence in (text, *split_sentences(text))
    )
    return {one.strip() for one in plain if len(one.split()) > 1}


def texts_of(key: str, split: Split) -> list[str]:
    demo = demo_tasks()[key]
    shown = [case.inputs[demo.variable] for case in demo.cases if case.split == split]
    made = [case.inputs[demo.variable] for case in make_cases(key, 200, "more", split=split)]
    return shown + made + [body["text"] for body in pool(key, split).bodies]


@pytest.mark.parametrize("key", TASK_KEYS)
def test_no_text_occurs_in_both_splits(key: str) -> None:
    train, holdout = (without_names_and_numbers(texts_of(key, split)) for split in SPLITS)
    assert len(train) > 10
    assert len(holdout) > 10
    assert train.isdisjoint(holdout)


@pytest.mark.parametrize("slot", ["name", "item", "city", "vendor", "team", "project"])
def test_names_do_not_occur_in_both_splits(slot: str) -> None:
    train, holdout = (set(pool("support", split).slots[slot]) for split in SPLITS)
    assert train.isdisjoint(holdout)


def test_custom_labels_are_used_and_known_labels_match_in_any_case() -> None:
    ticket = "My parcel has not arrived."
    ask = "Classify this ticket. Answer with the label only. Labels: {}.\n\nTicket:\n" + ticket
    assert say(ask.format("parcels, heating, lifts"), model="sim-large", seed=2) == "parcels"
    assert "shipping" in say(ask.format("Shipping, Money"), model="sim-large", seed=2).lower()
