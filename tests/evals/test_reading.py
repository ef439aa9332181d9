"""Configurations become plans; what is wrong with them is named with file and line."""

from pathlib import Path
from typing import Any

import pytest

from edison.evals.errors import ConfigError
from edison.evals.plan import EvalPlan
from edison.evals.read import read_plan
from edison.evals.request import EvalRequest

SIMPLE = "prompts: ['p {{x}} text']\nproviders: [echo]\n"


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def plan_of(
    folder: Path, config: str, files: dict[str, str] | None = None, **wanted: Any
) -> EvalPlan:
    write(folder, {"promptfooconfig.yaml": config, **(files or {})})
    return read_plan(EvalRequest(folder=folder, **wanted))


def refusal(folder: Path, config: str, files: dict[str, str] | None = None) -> str:
    with pytest.raises(ConfigError) as refused:
        plan_of(folder, config, files)
    return refused.value.message


@pytest.mark.parametrize(
    ("config", "beginning"),
    [
        ("prompts: [a\nproviders: {", "promptfooconfig.yaml:2:10: This is not valid YAML"),
        ("prompts: [a]\nprompts: [b]\n", "promptfooconfig.yaml:2:1: “prompts” occurs twice"),
        ("- a\n- b\n", "promptfooconfig.yaml: A configuration must be an object"),
        (SIMPLE + "tests: file://nope.csv\n", "promptfooconfig.yaml:3:1: There is no file nope"),
        (SIMPLE + "tests:\n  - {vars: 3}\n", "promptfooconfig.yaml:4:5: “vars” must be"),
        (SIMPLE + "tests:\n  - assert: [{value: 3}]\n", "promptfooconfig.yaml:4:14: Test 1"),
        ("prompts: [a]\nproviders: echo\n", "promptfooconfig.yaml:2:1: “providers” must be a list"),
        (
            "prompts: ['Choose yes/no']\nproviders: [echo]\n",
            "promptfooconfig.yaml:1:11: The prompt",
        ),
        ("providers: [echo]\nprompts: ['file://nope.txt']\n", "promptfooconfig.yaml:2:11: The"),
        (
            "a: {$ref: '#/b'}\nb: {$ref: '#/a'}\n" + SIMPLE,
            "promptfooconfig.yaml:1:4: $ref goes in a circle",
        ),
        (
            "prompts: [a]\nproviders: ['openai:image:x']\n",
            "promptfooconfig.yaml:2:13: openai:image",
        ),
        (
            "prompts: [a]\nproviders: ['browser']\n",
            "promptfooconfig.yaml:2:13: The provider browser is not supported.",
        ),
        (SIMPLE + "redteam: {plugins: [a]}\n", "promptfooconfig.yaml:3:1: Red teaming"),
        (
            SIMPLE + "tests:\n  - {vars: {x: 1}, providers: [other]}\n",
            "promptfooconfig.yaml:4:5: Test 1 names the provider “other”",
        ),
    ],
)
def test_a_wrong_configuration_is_named_with_its_place(
    tmp_path: Path, config: str, beginning: str
) -> None:
    assert refusal(tmp_path, config).startswith(beginning)


def test_everything_that_is_not_supported_is_listed_at_once(tmp_path: Path) -> None:
    message = refusal(
        tmp_path,
        "prompts: ['p {{_conversation}} text']\nproviders: ['file://p.js', 'video:x']\n"
        "tests:\n  - assert: [{type: 'trajectory:tool-used', value: a}]\n"
        "  - options: {storeOutputAs: b}\n",
    )
    assert [line.split(": ")[0] for line in message.split("\n")] == [
        "promptfooconfig.yaml:1:11",
        "promptfooconfig.yaml:2:13",
        "promptfooconfig.yaml:2:28",
        "promptfooconfig.yaml:4:5",
        "promptfooconfig.yaml:5:5",
    ]


def test_an_unknown_name_is_ignored_with_a_hint(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, SIMPLE + "defaultTests: {vars: {x: 1}}\nx-own: 1\n")
    assert plan.warnings == [
        "promptfooconfig.yaml:3:1: “defaultTests” is not a setting of the configuration and is "
        "ignored. Did you mean “defaultTest”?"
    ]


def test_an_unknown_type_of_assertion_is_named_before_anything_is_asked(tmp_path: Path) -> None:
    tests = "tests:\n  - assert: [{type: not-containz}, {type: assert-set, assert: [{type: x}]}]\n"
    plan = plan_of(tmp_path, SIMPLE + tests)
    assert plan.warnings == [
        "promptfooconfig.yaml:4:5: “containz” is no type of an assertion. Did you mean “contains”?",
        "promptfooconfig.yaml:4:5: “x” is no type of an assertion.",
    ]


def test_a_reference_is_replaced_and_keeps_own_members(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path,
        SIMPLE + "assertionTemplates: {has: {type: contains, value: a}}\n"
        "tests:\n  - assert: [{$ref: '#/assertionTemplates/has', value: b}]\n",
    )
    assert plan.rows[0].test.assertions == [{"type": "contains", "value": "b"}]


def test_a_csv_row_becomes_a_test_with_assertions_and_metadata(tmp_path: Path) -> None:
    table = (
        " x ,__expected1,__expected2,__metadata:tags[],__metric,__threshold,__description\n"
        'a,contains:a,similar(0.9):b,"one, two",m,0.5,first\n'
    )
    test = plan_of(tmp_path, SIMPLE + "tests: file://t.csv\n", {"t.csv": table}).rows[0].test
    assert test.vars == {"x": "a"}
    assert test.metadata == {"tags": ["one", "two"]}
    assert (test.threshold, test.description) == (0.5, "first")
    assert test.assertions == [
        {"type": "contains", "value": "a", "metric": "m"},
        {"type": "similar", "value": "b", "threshold": 0.9, "metric": "m"},
    ]


def test_a_short_row_of_a_table_is_named_with_its_line(tmp_path: Path) -> None:
    message = refusal(tmp_path, SIMPLE + "tests: file://t.csv\n", {"t.csv": "x,y\n1,2\n\n3,4\n"})
    assert message == "t.csv:3: The row has 0 cells and the header 2."


def test_variables_and_schemas_come_from_files(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path,
        SIMPLE + "tests:\n  - vars: {x: file://a.txt, y: file://b.yaml}\n"
        "    assert: [{type: is-json, value: file://schema.json}]\n",
        {"a.txt": " text \n", "b.yaml": "k: [1, yes]\n", "schema.json": '{"type": "object"}'},
    )
    test = plan.rows[0].test
    assert test.vars == {"x": "text", "y": '{"k":[1,"yes"]}'}
    assert test.assertions == [{"type": "is-json", "value": {"type": "object"}}]


def test_files_outside_of_the_repository_need_a_flag(tmp_path: Path) -> None:
    folder = tmp_path / "repository" / "evals"
    write(tmp_path, {"outside.txt": "a", "repository/inside.txt": "b {{x}}"})
    (tmp_path / "repository" / ".git").mkdir()
    folder.mkdir()
    inside = "prompts: [file://../inside.txt]\nproviders: [echo]\n"
    assert plan_of(folder, inside).columns[0].prompt.raw == "b {{x}}"
    outside = "prompts: [file://../../outside.txt]\nproviders: [echo]\n"
    assert "--allow-outside" in refusal(folder, outside)
    assert plan_of(folder, outside, allows_outside=True).columns[0].prompt.raw == "a"


def test_only_named_variables_of_the_environment_are_filled_in(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path,
        "env: {OWN: o}\nprompts: ['{{env.OWN}} {{ env.GIVEN }} {{env.NONE}} {{x}}']\n"
        "providers: [echo]\n",
        env={"GIVEN": "g", "OTHER": "secret"},
    )
    assert plan.columns[0].prompt.raw == "o g {{env.NONE}} {{x}}"
    assert plan.env == {"OWN": "o"}


def test_lists_expand_in_all_combinations_and_repeats(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path,
        SIMPLE + "tests:\n  - vars: {x: [a, b], y: [c, d], n: [1, 2]}\n",
        repeats=2,
    )
    found = [
        (row.test_index, row.repeat, row.test.vars["x"], row.test.vars["y"]) for row in plan.rows
    ]
    assert found == [
        (0, 0, "a", "c"), (1, 0, "a", "d"), (2, 0, "b", "c"), (3, 0, "b", "d"),
        (4, 1, "a", "c"), (5, 1, "a", "d"), (6, 1, "b", "c"), (7, 1, "b", "d"),
    ]  # fmt: skip
    assert plan.rows[0].test.vars["n"] == [1, 2]
