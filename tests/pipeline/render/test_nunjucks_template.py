"""Nunjucks as a syntax of prompts."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.prompt import Message
from edison.pipeline.render.prompt_template import FewShot, PromptTemplate
from edison.pipeline.render.template import Syntax, escape, parse

VECTORS = Path(__file__).parents[2] / "data" / "promptfoo" / "render.json"
NAMES = json.loads(Path(__file__).with_name("nunjucks_names.json").read_text())
# Few characters, so that tags and fragments of them are common.
texts = st.text(alphabet='{}%#-" \n\\ab', max_size=40)


def prompt(text: str, **parts: object) -> PromptTemplate:
    return PromptTemplate(text=text, syntax=Syntax.NUNJUCKS, **parts)  # type: ignore[arg-type] # parts of any kind


def sent(text: str, values: dict[str, object]) -> str | None:
    rendered = prompt(text).find_rendered(values)
    return None if rendered is None else rendered.messages[0].text


def test_prompts_are_rendered_as_promptfoo_renders_them() -> None:
    """But for `env`: the variables of the server's environment stay out of prompts."""
    vectors = [each for each in json.loads(VECTORS.read_text()) if "env" not in each["prompt"]]
    differences = {
        vector["id"]: (found, vector["expect"])
        for vector in vectors
        if (found := sent(vector["prompt"], vector["vars"])) != vector["expect"].get("sent")
    }
    assert len(vectors) > 50
    assert differences == {}


def test_the_environment_is_empty() -> None:
    assert sent("[{{ env.PATH }}]", {}) == "[]"


@pytest.mark.parametrize("case", NAMES, ids=lambda case: case["text"])
def test_variables_are_names_that_the_template_reads(case: dict[str, object]) -> None:
    template = prompt(str(case["text"]))
    assert template.variables() == case["names"]
    assert template.required_variables() == case.get("required", case["names"])


def test_values_are_rendered_once_for_all_parts() -> None:
    template = prompt(
        "{% if b %}{{ a }}{% endif %}",
        system="For {{ a | upper }}",
        few_shots=(FewShot(user="{{b}}", assistant='{"a":1}'),),
    )
    rendered = template.render({"a": "{{ c | lower }}", "b": "B", "c": "X"})
    assert rendered.system == "For X"
    assert rendered.messages == (
        Message(role="user", text="B"),
        Message(role="assistant", text='{"a":1}'),
        Message(role="user", text="x"),
    )


def test_plain_values_are_never_templates() -> None:
    rendered = prompt("{{a}} {{b}}").render(
        {"a": "{{b}}{% if b %}", "b": "secret"}, has_plain_values=True
    )
    assert rendered.messages[0].text == "{{b}}{% if b %} secret"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\n{% if x %}b", "The template has an error in line 2: expected elif, else, or endif"),
        ("{% nope %}", "The template has an error in line 1: unknown block tag: nope."),
        ("{{ x | nope }}", "There is no filter nope."),
        ("{{ x", None),
        ("{{ x }}", None),
    ],
)
def test_a_template_that_does_not_parse_has_a_problem(text: str, problem: str | None) -> None:
    found = parse(text, Syntax.NUNJUCKS).find_problem()
    assert found is None if problem is None else str(found).startswith(problem)


def test_all_parts_share_one_limit_of_work() -> None:
    heavy = "{% for i in range(15000) %}x{% endfor %}"
    pairs = (FewShot(user=heavy, assistant=heavy),) * 3
    assert prompt(heavy).render({})
    with pytest.raises(TemplateError):
        prompt("x", few_shots=pairs).render({})


@given(text=texts)
def test_escaped_text_renders_to_itself(text: str) -> None:
    rendered = parse("." + escape(text, Syntax.NUNJUCKS), Syntax.NUNJUCKS).render({"a": "x"})
    assert rendered == "." + text


@given(text=texts)
def test_any_text_has_names_or_a_problem(text: str) -> None:
    template = prompt(text)
    if template.find_problem(text) is None:
        assert template.find_rendered(dict.fromkeys(template.variables(), "1")) is not None
