"""Evals of OpenAI's platform, as its API and dashboard export them."""

import json
from pathlib import Path
from typing import Any

import pytest

from edison.evals.errors import ConfigError
from edison.evals.plan import EvalPlan
from edison.evals.read import read_plan
from edison.evals.request import EvalRequest
from edison.pipeline.render.promptfoo_prompt import render_promptfoo, resolved_values
from edison.pipeline.score.assertions.evaluate import evaluate_row
from edison.pipeline.score.assertions.labels import chosen_label
from edison.pipeline.score.assertions.model import AssertionRow, Services
from edison.pipeline.score.assertions.read import read_assertions
from edison.pipeline.score.assertions.trusted import PythonProcess

ANSWER = "{{sample.output_text}}"
RUN = {
    "object": "eval.run",
    "data_source": {
        "type": "completions",
        "model": "gpt-4o-mini",
        "sampling_params": {"temperature": 0.5, "max_completions_tokens": 100},
        "input_messages": {
            "type": "template",
            "template": [
                {"role": "developer", "content": "Be short."},
                {"role": "user", "content": {"type": "input_text", "text": "{{item.q.text}}?"}},
            ],
        },
    },
}


class Grader:
    """Replies with a text, and notes what it was asked."""

    def __init__(self, reply: str) -> None:
        self.reply, self.asked = reply, []

    async def ask(self, assertion: Any, messages: list[dict[str, str]]) -> str:
        self.asked.append(messages)
        return self.reply


def plan_of(folder: Path, *graders: dict[str, Any], run: dict[str, Any] = RUN) -> EvalPlan:
    item = {"q": {"text": "2 + 2"}, "label": "four", "tags": ["a", "b"]}
    answered = {"item": item, "sample": {"output_text": "Four"}}
    lines = [{"object": "eval", "name": "Sums", "testing_criteria": list(graders)}, run, answered]
    file = folder / "export.jsonl"
    file.write_text("\n".join(json.dumps(each) for each in lines if each))
    return read_plan(EvalRequest(folder=folder, configs=[file]))


async def verdict(plan: EvalPlan, output: str, *, reply: str = "") -> tuple[bool, float, Grader]:
    (row,) = plan.rows
    given = AssertionRow(output=output, vars=resolved_values(row.test.vars))
    grader = Grader(reply)
    made = read_assertions(row.test.assertions)
    found = await evaluate_row(made, given, services=Services(grader=grader))
    return found.is_passed, round(found.score, 3), grader


def check(operation: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "string_check",
        "name": "is right",
        "input": ANSWER,
        "reference": "{{item.label}}",
        "operation": operation,
        **more,
    }


def test_prompt_model_and_items_become_a_plan(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, check("eq"))
    (row,) = plan.rows
    assert plan.description == "Sums"
    assert row.column.provider.id == "openai:chat:gpt-4o-mini"
    assert row.column.provider.config == {"temperature": 0.5, "max_tokens": 100}
    sent = json.loads(render_promptfoo(row.column.prompt.raw, row.test.vars))
    assert sent == [
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": "2 + 2?"},
    ]
    recorded = plan_of(tmp_path, check("eq"), run={})
    assert [each.test.output for each in recorded.rows] == ["Four"]


@pytest.mark.parametrize(
    ("grader", "output", "expected"),
    [
        (check("eq"), "four", (True, 1.0)),
        (check("eq"), "Four", (False, 0.0)),
        (check("ne"), "Four", (True, 1.0)),
        (check("like"), "It is four.", (True, 1.0)),
        (check("ilike"), "It is FOUR.", (True, 1.0)),
        (check("eq", input="{{sample.output_json.sum}}"), '{"sum": "four"}', (True, 1.0)),
        (
            {
                "type": "text_similarity",
                "name": "alike",
                "input": ANSWER,
                "reference": "{{item.label}}",
                "evaluation_metric": "fuzzy_match",
                "pass_threshold": 0.8,
            },
            "fours",
            (True, 0.889),
        ),
        *(
            (
                {
                    "type": "text_similarity",
                    "name": metric,
                    "input": ANSWER,
                    "reference": "The cat sat on the mat today",
                    "evaluation_metric": metric,
                    "pass_threshold": 0.5,
                },
                "The cat sat on the mat",
                expected,
            )
            for metric, expected in (
                ("bleu", (True, 0.846)),
                ("gleu", (True, 0.818)),
                ("meteor", (True, 0.868)),
                ("rouge_1", (True, 0.923)),
            )
        ),
        (
            {
                "type": "multi",
                "name": "both",
                "graders": {"exact": check("eq"), "loose": check("ilike")},
                "calculate_output": "0.25 * exact + 0.75 * loose",
                "pass_threshold": 0.7,
            },
            "It is four.",
            (True, 0.75),
        ),
    ],
)
async def test_graders_decide(
    tmp_path: Path, grader: dict[str, Any], output: str, expected: tuple[bool, float]
) -> None:
    assert (await verdict(plan_of(tmp_path, grader), output))[:2] == expected


async def test_a_grader_in_python_runs_in_the_command(tmp_path: Path) -> None:
    grader = {
        "type": "python",
        "name": "close",
        "source": "def grade(sample, item):\n"
        "    return 0.25 * len(item['tags']) + (sample['output_text'] == item['label']) / 4\n",
        "pass_threshold": 0.6,
    }
    (row,) = plan_of(tmp_path, grader).rows
    given = AssertionRow(output="four", vars=resolved_values(row.test.vars))
    services = Services(python=PythonProcess())
    found = await evaluate_row(read_assertions(row.test.assertions), given, services=services)
    assert (found.is_passed, found.score) == (True, 0.75)


async def test_models_choose_labels_and_give_numbers(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": f"{{{{item.q.text}}}} = {ANSWER}?"}]
    label = {
        "type": "label_model",
        "name": "right",
        "model": "gpt-4o",
        "input": messages,
        "labels": ["right", "wrong"],
        "passing_labels": ["right"],
    }
    passed, score, grader = await verdict(plan_of(tmp_path, label), "4", reply="Right. right")
    assert (passed, score) == (True, 1.0)
    assert grader.asked[0][-1] == {"role": "user", "content": "2 + 2 = 4?"}
    assert (await verdict(plan_of(tmp_path, label), "4", reply="wrong"))[:2] == (False, 0.0)
    assert (await verdict(plan_of(tmp_path, label), "4", reply="unsure"))[:2] == (False, 0.0)

    number = {
        "type": "score_model",
        "name": "quality",
        "model": "gpt-4o",
        "input": messages,
        "range": [1, 5],
        "pass_threshold": 4,
    }
    assert (await verdict(plan_of(tmp_path, number), "4", reply="4"))[:2] == (True, 0.75)
    low = await verdict(plan_of(tmp_path, number), "4", reply='{"result": 2}')
    assert low[:2] == (False, 0.25)


def test_the_line_with_the_label_is_read_as_in_openai_evals() -> None:
    reply = "A is tempting.\n\nReasoning…\nB."
    assert chosen_label(reply, ["A", "B"], is_last=False) == "A"
    assert chosen_label(reply, ["A", "B"], is_last=True) == "B"
    assert chosen_label("good enough", ["good", "good enough"], is_last=False) == "good enough"
    assert chosen_label("-", ["A"], is_last=True) is None


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("{", "export.jsonl:1: This is not valid JSON"),
        ('{"item": {}}', "export.jsonl: The file has no eval with testing_criteria"),
        ('{"a": 1}', "export.jsonl:1: This is no eval, run, output item or data"),
        ('{"testing_criteria": []}', "export.jsonl: The file has no items."),
        (
            '{"testing_criteria": [{"type": "x"}]}\n{"item": {}}',
            "export.jsonl: Graders of the type x are not supported.",
        ),
        (
            '{"testing_criteria": [{"type": "string_check", "name": "n"}]}\n{"item": {}}',
            "export.jsonl: The grader “n” is incomplete: 'operation'.",
        ),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, lines: str, message: str) -> None:
    file = tmp_path / "export.jsonl"
    file.write_text(lines)
    with pytest.raises(ConfigError) as refused:
        read_plan(EvalRequest(folder=tmp_path, configs=[file]))
    assert refused.value.message.startswith(message)
