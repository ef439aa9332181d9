"""Nunjucks templates: what promptfoo sends for the same prompts and values, and bounds."""

import json
from pathlib import Path

import pytest

from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.nunjucks.template import nunjucks_names, render_nunjucks
from edison.pipeline.render.promptfoo_prompt import render_promptfoo

VECTORS = Path(__file__).parents[2] / "data" / "promptfoo" / "render.json"
ENVIRONMENT = {"VEC_PUBLIC": "pub"}
NESTED = "{% set l = [1] %}{% for i in range(60) %}{% set l = [l, l] %}{% endfor %}"


def sent(prompt: str, values: dict[str, object]) -> str | None:
    try:
        return render_promptfoo(prompt, values, env=ENVIRONMENT)
    except TemplateError:
        return None


def test_prompts_are_rendered_as_promptfoo_renders_them() -> None:
    vectors = json.loads(VECTORS.read_text())
    differences = {
        vector["id"]: (found, vector["expect"])
        for vector in vectors
        if (found := sent(vector["prompt"], vector["vars"])) != vector["expect"].get("sent")
    }
    assert differences == {}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{ 2 * 3 % 4 }} {{ 'x' ~ 1 + 2 }} {{ not 1 == 2 }}", "2 x12 false"),
        ("{{ '10' < '9' }} {{ 10 < '9' }} {{ [1] == 1 }} {{ none >= 0 }}", "true false true true"),
        ("{% macro m(a, b='B') %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(b=2) }}", "1B2"),
        ("{% set x = 1 %}{% for i in [1, 2] %}{% set x = x + i %}{% endfor %}{{ x }}", "4"),
        ("{% for i in [1] %}{% set y = i %}{% endfor %}[{{ y }}]", "[]"),
        ("{% for k, v in {'a': 1} %}{{ k }}={{ v }}{% endfor %}", "a=1"),
        ("{% raw %}{{ x }}{% endraw %}{# c #}  {{- ' y' -}}  z", "{{ x }} yz"),
        ("{{ '😀'.length }}{{ 'abc'.slice(-2) }}{{ (1.005).toFixed(1) }}", "2bc1.0"),
        ("{% switch 2 %}{% case 1 %}a{% case 2 %}b{% default %}c{% endswitch %}", "b"),
        (
            "{% macro w() %}<{{ caller(1) }}>{% endmacro %}{% call(x) w() %}{{ x }}{% endcall %}",
            "<1>",
        ),
        ("{{ [3, 1] | sort | join('-') }}{{ 'a<b' | e | e }}", "1-3a&lt;b"),
    ],
)
def test_expressions_have_the_meaning_of_javascript(template: str, expected: str) -> None:
    assert render_nunjucks(template, {}) == expected


@pytest.mark.parametrize(
    "template",
    [
        "{% for i in range(90000) %}{% for j in range(90000) %}x{% endfor %}{% endfor %}",
        "{% for i in range(1000000000) %}{% endfor %}",
        "{% set x = 'aaaaaaaa' %}{% for i in range(99) %}{% set x = x ~ x %}{% endfor %}",
        "{{ 'x'.repeat(1000000000) }}",
        "{{ 'x' | center(1000000000) }}",
        "{{ 'x'.padStart(1000000000) }}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{{ " + "(" * 5000 + " }}",
        NESTED + "{{ l }}",
        NESTED + "{{ l | dump }}",
        NESTED + "{{ l == 'x' }}",
        NESTED + "{{ {}[l] }}",
        NESTED + "{{ 'x'.concat(l) }}",
        "{% set l = [1] %}{% set q = l.push(l) %}{{ l }}",
        "{% set l = [1] %}{% for i in range(99) %}{% set l = l.concat(l) %}{% endfor %}",
        "{% for i in range(9000) %}{{ '" + "a" * 9000 + "' | upper | lower }}{% endfor %}",
    ],
)
def test_templates_that_take_too_much_are_stopped(template: str) -> None:
    with pytest.raises(TemplateError):
        render_nunjucks(template, {})


def test_templates_reach_nothing_but_their_values() -> None:
    for path in ("constructor", "__proto__", "__class__", "__globals__", "__init__"):
        assert render_nunjucks("{{ x." + path + " }}{{ n." + path + " }}", {"x": "a", "n": 1}) == ""
    assert (
        render_nunjucks("{{ env }}{{ env.HOME }}{{ range.__globals__ }}", {}) == "[object Object]"
    )


def test_the_names_of_a_template_are_those_that_need_values() -> None:
    template = (
        "{{ a.b }}{% for x in items %}{{ x }}{{ y | default(z) }}{{ loop.index }}{% endfor %}"
        "{% set q = w %}{{ q }}{% macro m(p, d=c) %}{{ p }}{{ g }}{% endmacro %}{{ m(e, d=f) }}"
    )
    assert nunjucks_names(template) == ["a", "items", "y", "z", "w", "c", "g", "e", "f"]


def test_a_template_does_not_change_its_values() -> None:
    values = {"items": [1, 2, 3]}
    assert render_nunjucks("{{ items.reverse() }}", values) == "3,2,1"
    assert values == {"items": [1, 2, 3]}


def test_members_have_the_order_of_javascript() -> None:
    assert render_promptfoo('{"b": 1, "10": 2, "2": 3}', {}) == (
        '{\n  "2": 3,\n  "10": 2,\n  "b": 1\n}'
    )
