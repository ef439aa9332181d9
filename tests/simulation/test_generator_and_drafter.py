"""Generated cases and drafts have the requested format, number and language."""

import json

import pytest

from edison.simulation.material import demo_tasks
from edison.simulation.oracle import Exam, mean_quality
from tests.simulation import templates
from tests.simulation.playing import MODELS, say


def cases(**fields: object) -> list[dict[str, object]]:
    system, user = templates.CASES
    asked = {"domain": "customer support inquiries", "variables": "message", "diversity": 7}
    for name, value in {**asked, **fields}.items():
        user = user.replace("{" + name + "}", str(value))
    rows = say(user + str(fields.get("extra", "")), system=system)
    return [json.loads(line) for line in rows.split("\n")]


@pytest.mark.parametrize("count", [1, 25, 120])
def test_as_many_cases_as_asked_for(count: int) -> None:
    found = cases(count=count)
    assert len(found) == count
    for case in found:
        assert list(case["input"]) == ["message"]  # type: ignore[call-overload] # parsed JSON
        assert case["tags"]
        assert case["difficulty"] in {1, 2, 3, 4, 5}


def test_all_variables_are_filled() -> None:
    (case,) = cases(count=1, variables="question, context, tone")
    assert set(case["input"]) == {"question", "context", "tone"}  # type: ignore[call-overload] # parsed JSON


def test_more_diversity_means_more_kinds_of_cases() -> None:
    kinds = [len({str(case["tags"]) for case in cases(count=40, diversity=d)}) for d in (1, 5, 9)]
    assert kinds[0] < kinds[1] < kinds[2]


def test_languages_and_difficulty_are_respected() -> None:
    german = cases(count=4, extra="\nLanguages: de")
    assert all("german" in case["tags"] for case in german)  # type: ignore[operator] # parsed JSON
    hard = cases(count=10, diversity=5, extra="\nDifficulty: hard")
    assert {case["difficulty"] for case in hard} <= {4, 5}


def test_questions_come_as_a_list_of_the_asked_name() -> None:
    reply = say('Generate 7 diverse questions about gardening. Return {"questions": ["..."]}')
    questions = json.loads(reply)["questions"]
    assert len(questions) == 7
    assert all("gardening" in question for question in questions)


def test_three_objectives_are_drafted_from_hints() -> None:
    system, user = templates.OBJECTIVES
    options = json.loads(say(user, system=system))["options"]
    assert len(options) == 3
    assert all("angry customers" in option["text"] for option in options)
    assert all(20 <= len(option["text"]) <= 2000 for option in options)


@pytest.mark.parametrize("objective", ["Reply to customers", "Write songs", "Extract invoice data"])
@pytest.mark.parametrize("model", MODELS)
def test_rubrics_are_valid(objective: str, model: str) -> None:
    system, user = templates.RUBRIC
    reply = say(user.replace("{objective}", objective), system=system, model=model)
    criteria = json.loads(reply)["criteria"]
    assert 4 <= len(criteria) <= 6
    assert sum(one["weight"] for one in criteria) == pytest.approx(1)
    assert all(one["weight"] <= 0.4 and len(one["description"]) >= 10 for one in criteria)
    assert len({one["name"] for one in criteria}) == len(criteria)


def test_drafted_prompts_work_and_beat_the_starter() -> None:
    system, user = templates.PROMPTS
    prompts = json.loads(say(user, system=system))["prompts"]
    assert [one["name"].split()[0] for one in prompts] == [
        "Structured",
        "Conversational",
        "Minimal",
    ]
    exam = Exam(task="support", count=200)
    starter = mean_quality(demo_tasks()["support"].starter, exam)
    found = [mean_quality(one["text"], exam, system=one["systemText"]) for one in prompts]
    assert found[0] > starter + 0.1
    assert found[0] > found[1]


def test_texts_are_improved() -> None:
    prompt = "Reply to the customer.\n\nMessage:\n{{message}}"
    better = say(f"Improve this prompt.\n\nPrompt:\n{prompt}")
    assert "{{message}}" in better
    assert len(better) > len(prompt)
    objective = 'Improve this objective. Return {"text": "..."}\n\nObjective:\nAnswer politely.'
    assert json.loads(say(objective))["text"].startswith("Answer politely.")
