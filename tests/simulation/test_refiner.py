"""The simulated refiner proposes small edits that apply, mostly help, and end when
nothing fails.
"""

import re
from statistics import mean

import pytest

from edison.simulation.habits import Habits
from edison.simulation.material import DemoTask, demo_tasks
from edison.simulation.oracle import Exam, mean_quality, true_quality
from edison.simulation.refiner import unified
from tests.simulation import templates
from tests.simulation.playing import SOUND, TASK_KEYS, fill, say


def apply_patch(before: str, diff: str) -> str | None:
    """Strictly: every context and removed line must be where the hunk says."""
    lines, result, position = before.split("\n"), [], 0
    for hunk in re.split(r"(?m)^(?=@@ )", diff)[1:]:
        header, *body = hunk.rstrip("\n").split("\n")
        found = re.match(r"@@ -(\d+)", header)
        assert found
        start = int(found[1]) - 1
        result.extend(lines[position:start])
        position = start
        for line in body:
            if line[:1] in {" ", "-"}:
                if position >= len(lines) or lines[position] != line[1:]:
                    return None
                position += 1
            if line[:1] in {" ", "+"}:
                result.append(line[1:])
    return "\n".join(result + lines[position:])


def suggestion(task: DemoTask, prompt: str, *, model: str, seed: int, habits: Habits) -> str:
    """One round: answer the training cases, show the six worst, ask for a diff."""
    train = [case for case in task.cases if case.split == "train"]
    said = [(case, say(fill(prompt, case.inputs), seed=seed)) for case in train]
    worst = sorted(said, key=lambda pair: true_quality(task.key, pair[0], pair[1]))[:6]  # type: ignore[arg-type] # a demo case has what a case has
    asked = templates.refining(task, prompt, [(case.inputs, text) for case, text in worst])
    return say(asked, model=model, seed=seed, habits=habits)


def diff_in(reply: str) -> str:
    found = re.search(r"<diff>\n(.*?)</diff>", reply, re.DOTALL)
    assert found
    return found[1]


@pytest.mark.parametrize("key", TASK_KEYS)
def test_diffs_apply_cleanly_at_a_high_rate_and_stay_small(key: str) -> None:
    task = demo_tasks()[key]
    applied = []
    for prompt in (task.starter, task.improved.replace("- ", "", 2)):
        for seed in range(12):
            reply = suggestion(task, prompt, model="sim-small", seed=seed, habits=Habits())
            diff = diff_in(reply)
            if not diff.strip():
                continue
            revised = apply_patch(prompt, diff)
            applied.append(revised is not None)
            if revised:
                assert "{{" + task.variable + "}}" in revised
                assert abs(len(revised) - len(prompt)) <= max(170, 0.15 * len(prompt))
    assert len(applied) >= 10
    assert mean(applied) >= 0.9


@pytest.mark.parametrize("key", TASK_KEYS)
def test_a_loop_of_refinements_raises_the_hidden_quality(key: str) -> None:
    task = demo_tasks()[key]
    prompt, exam = task.starter, Exam(task=key, count=250)
    for seed in range(6):
        reply = suggestion(task, prompt, model="sim-large", seed=seed, habits=SOUND)
        prompt = apply_patch(prompt, diff_in(reply)) or prompt
    assert mean_quality(prompt, exam) > mean_quality(task.starter, exam) + 0.15


def test_not_every_suggestion_is_good() -> None:
    task = demo_tasks()["support"]
    exam = Exam(task="support", count=200)
    base = mean_quality(task.starter, exam)
    gains = []
    for seed in range(24):
        reply = suggestion(task, task.starter, model="sim-small", seed=seed, habits=SOUND)
        revised = apply_patch(task.starter, diff_in(reply))
        assert revised is not None
        gains.append(mean_quality(revised, exam) - base)
    assert mean(gain > 0.03 for gain in gains) > 0.4
    assert mean(gain < 0.02 for gain in gains) > 0.05


def test_no_change_is_proposed_when_nothing_fails() -> None:
    task = demo_tasks()["support"]
    good = [(case.inputs, case.expected) for case in task.cases[:6]]
    reply = say(templates.refining(task, task.improved, good))
    assert reply == (
        "<diff>\n</diff>\n\n<note>\nNo change needed: the examples show nothing that an "
        "instruction would cure.\n</note>"
    )
    assert apply_patch(task.improved, diff_in(reply)) == task.improved


def test_a_vague_sentence_is_sharpened_in_place() -> None:
    task = demo_tasks()["support"]
    prompt = task.starter.replace("Reply to", "Show empathy.\nReply to")
    case = task.cases[1]
    cold = "Hello,\n\nThank you for your message. I have looked up it."
    for seed in range(20):
        asked = templates.refining(task, prompt, [(case.inputs, cold)])
        reply = say(asked, model="sim-large", seed=seed)
        if "Apologise" in reply:
            assert "-Show empathy." in reply or "-You are" in reply
            break
    else:
        pytest.fail("The weakest rule was never addressed.")


def test_a_reflection_prompt_gets_the_whole_new_prompt() -> None:
    task = demo_tasks()["support"]
    case = task.cases[0]
    poor = say(fill(task.starter, case.inputs), model="sim-small")
    examples = (
        f"# Example 1\n## Input\n{case.inputs['message']}\n\n"
        f"## Generated Outputs\n{poor}\n\n## Feedback\nPoor."
    )
    reply = say(templates.REFLECTION.format(prompt=task.starter, examples=examples))
    found = re.search(r"```\n(.*?)\n```", reply, re.DOTALL)
    assert found
    assert "{{message}}" in found[1]
    assert len(found[1]) > len(task.starter)


def test_unified_diffs_round_trip() -> None:
    before, after = "a\nb\nc\nd\ne\nf\ng\nh", "a\nB\nc\nd\ne\nf\ng\nh\ni"
    assert apply_patch(before, unified(before, after)) == after
