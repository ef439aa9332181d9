"""Templates: variables, literal text, and rendering."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.render.template import (
    PlaceholderTemplate,
    Syntax,
    Variable,
    escape,
    find_missing,
    find_unused,
    parse_placeholders,
)

VECTORS = json.loads(Path(__file__).with_name("template_vectors.json").read_text())

syntaxes = st.sampled_from([Syntax.DOUBLE, Syntax.SINGLE])
# Few characters, so that placeholders, escapes and fragments of them are common.
texts = st.text(alphabet='{}\\ \tab1_é\n"', max_size=60)
names = st.from_regex(r"\A[a-z_][a-z0-9_]{0,8}\Z")
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=10,
)


def placeholder(name: str, syntax: Syntax) -> str:
    return f"{syntax.opening}{name}{syntax.closing}"


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["what"])
def test_templates_parse_and_render_like_the_test_vectors(case: dict[str, Any]) -> None:
    template = parse_placeholders(case["text"], Syntax(case["syntax"]))
    found = [[variable.name, variable.start, variable.end] for variable in template.variables]
    assert found == case["variables"]
    assert template.render(case["values"]) == case["rendered"]
    assert template.rendered_length(case["values"]) == len(case["rendered"])
    assert find_missing(template.names(), case["values"]) == case["missing"]
    assert find_unused(template.names(), case["values"]) == case["unused"]


@pytest.mark.parametrize("case", VECTORS["long"], ids=lambda case: case["what"])
def test_a_very_long_template_is_parsed(case: dict[str, Any]) -> None:
    template = parse_placeholders(case["text"] * case["times"], Syntax(case["syntax"]))
    assert len(template.variables) == case["variables"]
    assert template.render(case["values"]) == case["rendered"] * case["times"]


def test_there_are_enough_vectors() -> None:
    assert len(VECTORS["cases"]) >= 60


def test_names_come_in_order_of_first_use() -> None:
    assert parse_placeholders("{{b}} {{a}} {{b}}", Syntax.DOUBLE).names() == ["b", "a"]


@given(text=texts, syntax=syntaxes, other=st.text())
def test_escaped_text_renders_to_itself(text: str, syntax: Syntax, other: str) -> None:
    template = parse_placeholders(escape(text, syntax), syntax)
    assert template.variables == ()
    assert template.render({"a": other, "b": other, "é": other}) == text


@given(before=texts, name=names, value=st.text(), after=texts, syntax=syntaxes)
def test_a_value_is_never_parsed_again(
    before: str, name: str, value: str, after: str, syntax: Syntax
) -> None:
    template = escape(before, syntax), placeholder(name, syntax), escape(after, syntax)
    # The text around the placeholder must not join it: no backslash, no brace.
    rendered = parse_placeholders(".".join(template), syntax).render({name: value})
    assert rendered == f"{before}.{value}.{after}"


@given(text=texts, syntax=syntaxes)
def test_variables_have_correct_positions(text: str, syntax: Syntax) -> None:
    last = 0
    for variable in parse_placeholders(text, syntax).variables:
        written = text[variable.start : variable.end]
        inner = written.removeprefix(syntax.opening).removesuffix(syntax.closing)
        assert inner.strip(" \t") == variable.name
        assert variable.start >= last
        last = variable.end


@given(text=texts, syntax=syntaxes)
def test_without_values_every_placeholder_stays_as_written(text: str, syntax: Syntax) -> None:
    template = parse_placeholders(text, syntax)
    pieces = [
        piece if isinstance(piece, str) else text[piece.start : piece.end]
        for piece in template.pieces
    ]
    assert template.render({}) == "".join(pieces)


@given(values=st.dictionaries(names, values, min_size=1), syntax=syntaxes)
def test_any_json_value_renders_to_json_that_reads_back(
    values: dict[str, Any], syntax: Syntax
) -> None:
    for name, value in values.items():
        rendered = parse_placeholders(placeholder(name, syntax), syntax).render(values)
        assert json.loads(rendered, parse_int=float) == value


def test_a_template_keeps_its_text_and_alternates_pieces() -> None:
    assert parse_placeholders("a {{b}}c", Syntax.DOUBLE) == PlaceholderTemplate(
        source="a {{b}}c", pieces=("a ", Variable(name="b", start=2, end=7), "c")
    )


def test_only_json_values_can_be_rendered() -> None:
    with pytest.raises(TypeError, match="object is not a JSON value"):
        parse_placeholders("{{a}}", Syntax.DOUBLE).render({"a": object()})


def test_numbers_that_json_lacks_read_as_null() -> None:
    template = parse_placeholders("{{a}} {{b}}", Syntax.DOUBLE)
    assert template.render({"a": float("nan"), "b": float("-inf")}) == "null null"


def test_whole_numbers_keep_every_digit() -> None:
    assert (
        parse_placeholders("{{a}}", Syntax.DOUBLE).render({"a": 2**80})
        == "1208925819614629174706176"
    )
