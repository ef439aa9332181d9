"""Evals of the repository openai/evals decide as its code does."""

import json
from pathlib import Path
from typing import Any

import pytest

from edison.evals.errors import ConfigError, NotSupported
from edison.evals.plan import EvalPlan
from edison.evals.read import read_plan
from edison.evals.request import EvalRequest
from edison.pipeline.render.promptfoo_prompt import render_promptfoo, resolved_values
from edison.pipeline.score.assertions.evaluate import evaluate_row
from edison.pipeline.score.assertions.model import AssertionRow, Services
from edison.pipeline.score.assertions.read import read_assertions
from tests.support.promptfoo import vectors

VECTORS = {each["id"]: each for each in vectors("openai-evals")}
BASIC = ["registry-match", "registry-includes-ignore-case", "registry-fuzzy-match"]
HOSTILE = "{{ 1 + 1 }} {% if %} {# not a comment"
EVAL = "e:\n  id: e.v0\ne.v0:\n  class: evals.elsuite.{}\n  args:\n    samples_jsonl: e.jsonl\n"


def plan_of(folder: Path, files: dict[str, str]) -> EvalPlan:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    config = next(Path(name) for name in files if name.startswith("registry/evals/"))
    return read_plan(EvalRequest(folder=folder, configs=[config], providers=["echo"]))


async def verdicts(plan: EvalPlan, outputs: list[str]) -> list[bool]:
    found = []
    for row, output in zip(plan.rows, outputs, strict=True):
        given = AssertionRow(output=output, vars=resolved_values(row.test.vars))
        made = read_assertions(row.test.assertions)
        found.append((await evaluate_row(made, given, services=Services())).is_passed)
    return found


@pytest.mark.parametrize("name", BASIC)
async def test_basic_evals_give_the_recorded_verdicts(tmp_path: Path, name: str) -> None:
    vector = VECTORS[name]
    plan = plan_of(tmp_path, vector["files"])
    assert await verdicts(plan, vector["outputs"]) == vector["expect"]["pass"]


def test_samples_are_sent_as_chats_and_their_text_is_never_a_template(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, VECTORS["registry-match"]["files"])
    assert plan.description == "capital cities"
    sent = [render_promptfoo(row.column.prompt.raw, row.test.vars) for row in plan.rows]
    assert json.loads(sent[2]) == [{"role": "user", "content": "2+2="}]
    assert [row.column.prompt.label for row in plan.rows][:3] == ["system user"] * 2 + ["user"]
    hostile: dict[str, Any] = {
        "registry/evals/e.yaml": EVAL.format("basic.includes:Includes"),
        "registry/data/e.jsonl": f'{{"input": "{HOSTILE}", "ideal": "{HOSTILE}"}}\n',
    }
    (row,) = plan_of(tmp_path / "hostile", hostile).rows
    (message,) = json.loads(render_promptfoo(row.column.prompt.raw, row.test.vars))
    assert message["content"] == HOSTILE


async def test_hostile_ideals_are_compared_as_text(tmp_path: Path) -> None:
    for kind in ("fuzzy_match:FuzzyMatch", "includes:Includes"):
        files = {
            "registry/evals/e.yaml": EVAL.format(f"basic.{kind}"),
            "registry/data/e.jsonl": f'{{"input": "a", "ideal": "{HOSTILE}"}}\n' * 2,
        }
        plan = plan_of(tmp_path / kind.partition(":")[0], files)
        assert await verdicts(plan, [HOSTILE, "2"]) == [True, False]


async def test_json_is_compared_by_value_and_hostile_ideals_as_text(tmp_path: Path) -> None:
    lines = [
        '{"input": "a", "ideal": ["{\\"a\\": 1, \\"b\\": [2, null]}"]}',
        '{"input": "b", "ideal": "null"}',
        '{"input": "c", "ideal": "{}"}',
    ]
    files = {
        "registry/evals/e.yaml": EVAL.format("basic.json_match:JsonMatch"),
        "registry/data/e.jsonl": "\n".join(lines),
    }
    outputs = ['{"b": [2, null], "a": 1}', "null", "{"]
    assert await verdicts(plan_of(tmp_path, files), outputs) == [True, False, False]
    files = {
        "registry/evals/e.yaml": EVAL.format("basic.match:Match"),
        "registry/data/e.jsonl": f'{{"input": "a", "ideal": ["x", "{HOSTILE}"]}}\n' * 2,
    }
    plan = plan_of(tmp_path / "hostile", files)
    assert await verdicts(plan, [f"{HOSTILE}!", "2"]) == [True, False]


@pytest.mark.parametrize(
    ("kind", "samples", "error", "message"),
    [
        ("modelgraded.classify:ModelBasedClassify", '{"input": "a", "ideal": "b"}', ConfigError,
         "names no modelgraded_spec"),
        ("translate:Translate", '{"input": "a", "ideal": "b"}', NotSupported, "Translate"),
        ("basic.match:Match", "{", ConfigError, r"e\.jsonl:1: This is not valid JSON"),
        ("basic.match:Match", '{"input": 1, "ideal": "b"}', ConfigError, "“input” must be"),
        ("basic.match:Match", '{"input": "a"}', ConfigError, "“ideal” must be"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(
    tmp_path: Path, kind: str, samples: str, error: type[ConfigError], message: str
) -> None:
    files = {"registry/evals/e.yaml": EVAL.format(kind), "registry/data/e.jsonl": samples}
    with pytest.raises(error, match=message):
        plan_of(tmp_path, files)


def test_samples_outside_of_the_registry_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_text('{"input": "a", "ideal": "b"}')
    text = EVAL.format("basic.match:Match").replace("e.jsonl", "../../secret.jsonl")
    with pytest.raises(ConfigError, match="outside of"):
        plan_of(tmp_path, {"registry/evals/e.yaml": text, "registry/data/x": ""})


SPEC = """
closedqa:
  prompt: |-
    Judge {{braces}} with {criteria}: {input} -> {completion}
  choice_strings: "YN"
  choice_scores: {"Y": 1.0, "N": 0.0}
  input_outputs: {input: completion}
"""
CLASSIFIED = """
e: {id: e.v0}
e.v0:
  class: evals.elsuite.modelgraded.classify:ModelBasedClassify
  args: {samples_jsonl: e.jsonl, eval_type: cot_classify, modelgraded_spec: closedqa}
"""


class Judge:
    def __init__(self) -> None:
        self.asked = ""

    async def ask(self, assertion: Any, messages: list[dict[str, str]]) -> str:
        self.asked = messages[0]["content"]
        return "N would be wrong.\nIt is right.\nY"


async def test_a_model_classifies_by_a_specification(tmp_path: Path) -> None:
    sample = {"input": [{"role": "user", "content": "2 + 2?"}], "criteria": "sums {{ 1 }}"}
    plan = plan_of(
        tmp_path,
        {
            "registry/evals/e.yaml": CLASSIFIED,
            "registry/modelgraded/closedqa.yaml": SPEC,
            "registry/data/e.jsonl": json.dumps(sample),
        },
    )
    (row,) = plan.rows
    judge = Judge()
    given = AssertionRow(output="4", vars=resolved_values(row.test.vars))
    made = read_assertions(row.test.assertions)
    found = await evaluate_row(made, given, services=Services(grader=judge))
    assert found.is_passed
    beginning, _, ending = judge.asked.partition("\n\n")
    assert beginning == "Judge {braces} with sums {{ 1 }}: 2 + 2? -> 4"
    assert 'a single choice from "Y" or "N" (without' in ending
    assert ending.endswith("Reasoning:")
