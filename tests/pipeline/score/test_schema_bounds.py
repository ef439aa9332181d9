"""Schemas that would stall the server: refused when saved, or stopped when used."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from edison.kit.errors import Invalid
from edison.library.prompts.tools import check_parameters
from edison.pipeline.score import schema_checks
from edison.pipeline.score.apply import ScorerConfig, configure
from edison.pipeline.score.sandbox.limited import LimitedWorkers, LimitExceeded
from edison.pipeline.score.schema_bounds import (
    DEEPEST_NESTING,
    LONGEST_CHAIN,
    MOST_PATTERNS,
    MOST_REFERENCES,
    measure,
)
from edison.pipeline.score.schema_checks import check_in_worker, find_misfit
from edison.pipeline.score.scorer import Flag
from tests.pipeline.score.scoring import score

REF = "$ref"


def chain(keyword: str, length: int, width: int = 2) -> dict[str, Any]:
    """Each line doubles the work of the next."""
    links: dict[str, Any] = {
        f"a{at}": {keyword: [{REF: f"#/$defs/a{at + 1}"}] * width} for at in range(length)
    }
    links[f"a{length}"] = {"type": "string"}
    return {"$defs": links, REF: "#/$defs/a0"}


def conditional(length: int) -> dict[str, Any]:
    links: dict[str, Any] = {
        f"a{at}": {part: {REF: f"#/$defs/a{at + 1}"} for part in ("if", "then", "else", "not")}
        for at in range(length)
    }
    links[f"a{length}"] = {"type": "string"}
    return {"$defs": links, REF: "#/$defs/a0"}


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"items": schema}
    return schema


def below(schema: dict[str, Any]) -> dict[str, Any]:
    """The same for a part of the value."""
    return {"$defs": schema.pop("$defs"), "properties": {"a": {"items": schema}}}


BOMBS: dict[str, Any] = {
    "anyOf": chain("anyOf", 20),
    "oneOf": chain("oneOf", 20),
    "allOf": chain("allOf", 20),
    "wide": chain("anyOf", 4, width=20),
    "below": below(chain("anyOf", 20)),
    "conditions": conditional(12),
    "dependent": {
        "$defs": {
            f"a{at}": {"dependentSchemas": {name: {REF: f"#/$defs/a{at + 1}"} for name in "xyz"}}
            for at in range(20)
        },
        REF: "#/$defs/a0",
    },
    "itself": {"anyOf": [{REF: "#"}]},
    "each other": {"$defs": {"a": {REF: "#/$defs/b"}, "b": {REF: "#/$defs/a"}}, REF: "#/$defs/a"},
    "a long chain": chain("allOf", LONGEST_CHAIN * 2, width=1),
    "references": {"properties": {f"p{at}": {REF: "#/x"} for at in range(MOST_REFERENCES + 1)}},
    "patterns": {"properties": {f"p{at}": {"pattern": "a"} for at in range(MOST_PATTERNS + 1)}},
    "names": {"patternProperties": {f"p{at}": True for at in range(MOST_PATTERNS + 1)}},
    "depth": nested(DEEPEST_NESTING + 1),
    "size": {"enum": [1] * 30_000},
    "a large pattern": {"pattern": r"(\p{L}{1000}){1000}"},
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_when_a_scorer_is_saved(name: str) -> None:
    options = {"definition": json.dumps(BOMBS[name], separators=(",", ":"))}
    with pytest.raises(Invalid) as refused:
        configure(ScorerConfig(kind="json_schema", options=options))
    assert [problem.field for problem in refused.value.problems] in (
        [""],
        ["definition"],
        ["options"],
    )
    assert len(refused.value.message) < 400


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "required": ["total"]},
        # A tree, and a linked list: recursion bounded by the depth of the value.
        {"properties": {"children": {"items": {REF: "#"}}}, "required": ["name"]},
        {"$defs": {"n": {"properties": {"next": {REF: "#/$defs/n"}}}}, REF: "#/$defs/n"},
        {"$defs": {"t": {"type": "string"}}, "items": {"anyOf": [{REF: "#/$defs/t"}] * 100}},
        chain("anyOf", 8),
        nested(50),
        {"pattern": "^[0-9]{3}-[a-z]{2,10}$"},
        {"$defs": {"a/b~c d": {"type": "number"}}, REF: "#/$defs/a~1b~0c%20d"},
        {"properties": {"$ref": {"type": "string"}, "anyOf": {"type": "object"}}},
    ],
)
def test_honest_schemas_pass(schema: dict[str, Any]) -> None:
    configure(ScorerConfig(kind="json_schema", options={"definition": json.dumps(schema)}))


def test_expansion_counts_referenced_schemas() -> None:
    plain = {"items": {"type": "string"}}
    assert measure(plain).expanded == 3
    twice = {"$defs": {"a": plain}, "items": {"allOf": [{REF: "#/$defs/a"}] * 2}}
    found = measure(twice).expanded
    assert found is not None
    assert found >= measure(twice).nodes + 2 * 3
    assert measure({"items": {REF: "#"}}).expanded is None
    assert measure({"unevaluatedProperties": False}).expanded is None


# The work doubles with each level of the value, which the schema does not show.
DOUBLING = {
    "$defs": {
        "n": {
            "type": "object",
            "properties": {"a": {"anyOf": [{REF: "#/$defs/n"}, {REF: "#/$defs/n"}]}},
        }
    },
    REF: "#/$defs/n",
}


def deep_value(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


async def test_a_bomb_that_goes_off_is_a_score_without_a_value_and_the_next_is_scored() -> None:
    options = {"definition": json.dumps(DOUBLING)}
    bombed = await score("json_schema", deep_value(60), options=options)
    assert (bombed.value, bombed.flag) == (None, Flag.SCORER_FAILED)
    assert "too much time or memory" in (bombed.rationale or "")
    assert (await score("json_schema", '{"a": {}}', options=options)).value == 1
    assert (await score("json_schema", deep_value(2), options=options)).value == 0


async def test_small_work_needs_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise AssertionError("a worker was asked")

    monkeypatch.setattr(schema_checks, "limited_workers", none)
    schema = {
        "type": "object",
        "required": ["total", "lines"],
        "properties": {
            "total": {"type": "number"},
            "lines": {"items": {"properties": {"sku": {"pattern": "^[A-Z]{3}$"}}}},
        },
    }
    lines = [{"sku": "ABC", "price": 1.5} for _ in range(20)]
    answer = json.dumps({"total": 30, "lines": lines})
    assert await find_misfit(json.dumps(schema), answer) is None


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "object"}, "{}"),
        ({"type": "object"}, "[1]"),
        ({"items": {"type": "string"}}, "[1, 2, 3, 4]"),
        (DOUBLING, '{"a": {"a": 1}}'),
        ({"properties": {"c": {"items": {REF: "#"}}}, "required": ["n"]}, '{"n": 1, "c": [{}]}'),
        ({"format": "date"}, '"2026-13-01"'),
    ],
)
async def test_workers_give_the_same_result(
    schema: Any, text: str, workers: LimitedWorkers
) -> None:
    question = {"task": "schema", "definition": json.dumps(schema), "text": text}
    assert await workers.ask(question) == check_in_worker(question)


@pytest.fixture(scope="module")
def workers() -> Any:
    workers = LimitedWorkers(1)
    yield workers
    workers.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_worker_is_replaced_after_it_died_and_has_no_environment(
    workers: LimitedWorkers,
) -> None:
    question = {"task": "schema", "definition": "true", "text": "1"}
    assert workers.ask_here(question) is None
    worker = workers._idle.get()
    first = worker._process.pid
    assert Path(f"/proc/{first}/environ").read_bytes() == b""
    limits = Path(f"/proc/{first}/limits").read_text()
    assert "unlimited" not in next(
        line for line in limits.splitlines() if line.startswith("Max address space")
    )
    os.kill(first, 9)
    worker._process.wait()
    workers._idle.put(worker)
    assert workers.ask_here(question) is None
    again = workers._idle.get()
    assert again._process.pid != first
    workers._idle.put(again)


def test_a_worker_that_takes_too_much_memory_ends(workers: LimitedWorkers) -> None:
    # Each problem quotes its value; there are as many as the value has parts.
    schema = {"items": {"allOf": [{"type": "string"}] * 500}}
    text = json.dumps([list(range(100))] * 20_000)
    with pytest.raises(LimitExceeded):
        workers.ask_here({"task": "schema", "definition": json.dumps(schema), "text": text})
    assert workers.ask_here({"task": "schema", "definition": "true", "text": "1"}) is None


def test_of_a_tools_parameters_the_first_problem_is_named() -> None:
    wide = {"properties": {f"p{at}": {"type": "nonsense"} for at in range(5_000)}}
    with pytest.raises(ValueError, match=r"At properties\.p\d+\.type: "):
        check_parameters(wide)
