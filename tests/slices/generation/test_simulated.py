"""Every kind of generation with a simulated model, which needs no key."""

from collections import Counter
from typing import Any

import pytest

from tests.factories.prompts import make_prompt
from tests.slices.generation.conftest import Desk

REQUESTS: dict[str, dict[str, Any]] = {
    "synthetic": {"hints": "Customers of a web shop who write to its support", "diversity": 8},
    "gaps": {"hints": "Customers of a web shop who write to its support"},
    "questions": {"topic": "Photosynthesis in desert plants", "difficulty": "hard"},
    "adversarial": {},
}


async def start(sim_desk: Desk, body: dict[str, Any]) -> dict[str, Any]:
    wanted = {"model_id": str(sim_desk.model.id), **body}
    started = await sim_desk.dataset.editor.post(sim_desk.url, json=wanted)
    assert started.status_code == 201, started.text
    return dict(started.json())


@pytest.mark.parametrize("kind", REQUESTS)
async def test_a_simulated_model_writes_cases(sim_desk: Desk, kind: str) -> None:
    body = {"kind": kind, "count": 10, **REQUESTS[kind]}
    if kind == "adversarial":
        prompt = await make_prompt(sim_desk.dataset.app, sim_desk.dataset.project.id)
        body["prompt_id"] = str(prompt.id)
    ended = await sim_desk.finish((await start(sim_desk, body))["id"])
    assert (ended["state"], ended["failure"]) == ("done", None)
    assert ended["malformed_count"] == ended["refused_count"] == 0
    assert ended["draft_count"] >= 5
    drafts = await sim_desk.drafts(ended["id"])
    assert {tuple(draft["inputs"]) for draft in drafts} == {("question",)}


@pytest.mark.parametrize("kind", ["questions", "adversarial"])
async def test_fifty_cases_are_mostly_distinct(sim_desk: Desk, kind: str) -> None:
    body = {"kind": kind, "count": 50, **REQUESTS[kind]}
    if kind == "adversarial":
        prompt = await make_prompt(sim_desk.dataset.app, sim_desk.dataset.project.id)
        body["prompt_id"] = str(prompt.id)
    ended = await sim_desk.finish((await start(sim_desk, body))["id"])
    # Every generation has its own seed, so the bounds leave some room.
    assert ended["draft_count"] >= 45
    assert ended["near_duplicates"] <= 10
    assert ended["repeated_count"] <= 10
    if kind == "adversarial":
        kinds = Counter(draft["tags"][0] for draft in await sim_desk.drafts(ended["id"]))
        assert len(kinds) == 6
        assert min(kinds.values()) >= 3


async def test_asking_again_gives_other_cases(sim_desk: Desk) -> None:
    first = await sim_desk.generate(count=10, diversity=10)
    second = await sim_desk.generate(count=10, diversity=10)
    texts = [
        {draft["inputs"]["question"] for draft in await sim_desk.drafts(each["id"])}
        for each in (first, second)
    ]
    assert texts[0] != texts[1]


async def test_a_hundred_cases_are_generated(sim_desk: Desk) -> None:
    hints = "Customers of a web shop who write to its support about orders and refunds"
    ended = await sim_desk.generate(count=100, diversity=10, hints=hints)
    assert ended["state"] == "done"
    assert (ended["draft_count"] < 100) == (ended["note"] is not None)
    assert ended["draft_count"] > 50
