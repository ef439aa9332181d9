"""Human scores: one per person and output, with precedence over scorers."""

import json
from typing import Any

import pytest
from sqlalchemy import select

from edison.db.session import Database
from edison.workspace.audit.models import AuditEntry
from edison.workspace.events.models import Event
from edison.workspace.projects.models import Role
from tests.factories.projects import make_member, make_project
from tests.factories.runs import add_output, add_run
from tests.factories.scoring import make_scored_run
from tests.fake_providers import openai
from tests.slices.runs.conftest import Desk
from tests.slices.scoring.conftest import Panel
from tests.support.browser import error_of, fields_of


@pytest.mark.parametrize(
    ("question", "answer", "value"),
    [
        ("thumbs", 0, 0.0),
        ("thumbs", 1, 1.0),
        ("pass_fail", 0, 0.0),
        ("pass_fail", 1, 1.0),
        ("rating", 1, 0.0),
        ("rating", 4, 0.75),
        ("rating", 5, 1.0),
    ],
)
async def test_answers_are_worth_their_place_on_the_scale(
    panel: Panel, question: str, answer: int, value: float
) -> None:
    scores = (await panel.score(panel.ada, question=question, answer=answer)).json()

    (mine,) = scores["items"]
    assert (mine["question"], mine["answer"], mine["value"]) == (question, answer, value)
    assert scores["value"] == value


async def test_each_person_has_one_score_visible_to_all(panel: Panel) -> None:
    await panel.score(panel.ada, question="rating", answer=2, comment="  Too curt.  ")
    await panel.score(panel.ada, question="rating", answer=3, comment="  Too curt.  ")
    await panel.score(panel.bob, question="thumbs", answer=1)

    seen = await panel.get(f"/outputs/{panel.run.outputs[0, 0]}/scores", panel.ada)
    assert seen["value"] == 0.75
    assert [
        (each["person"]["name"], each["is_mine"], each["answer"], each["comment"])
        for each in seen["items"]
    ] == [("ada@example.org", True, 3, "Too curt."), ("bob@example.org", False, 1, None)]

    left = (await panel.ada.browser.delete(panel.scores_url())).json()
    assert [each["person"]["name"] for each in left["items"]] == ["bob@example.org"]
    assert left["value"] == 1.0


async def test_human_scores_take_precedence_in_summaries_lists_and_cells(panel: Panel) -> None:
    # By weights 3:1, and by the first scorer alone where the second gave no value.
    automatic = [(0.925 + 0.3 + 0.525) / 3, (0.125 + 0.35 + 0.45) / 3]
    assert await panel.summaries() == [(pytest.approx(each), 0) for each in automatic]
    assert await panel.listed(sort="score") == [(0, 1), (1, 0), (1, 1), (2, 1), (2, 0), (0, 0)]

    await panel.score(panel.ada, 0, 1, question="thumbs", answer=1)

    assert await panel.summaries() == [
        (pytest.approx(automatic[0]), 0),
        (pytest.approx((1 + 0.35 + 0.45) / 3), 1),
    ]
    run = await panel.get(f"/runs/{panel.run.id}")
    assert run["score"] == pytest.approx((automatic[0] + (1 + 0.35 + 0.45) / 3) / 2)
    assert (await panel.listed(sort="-score"))[0] == (0, 1)
    assert await panel.listed(is_human=True) == [(0, 1)]
    assert await panel.listed(is_human=False, min_score=0.5) == [(0, 0), (2, 0)]
    assert await panel.listed(max_score=0.31) == [(1, 0)]
    rows = (await panel.get(f"/runs/{panel.run.id}/rows"))["items"]
    assert [cell["human_value"] for cell in rows[0]["cells"]] == [None, 1.0]

    await panel.ada.browser.delete(panel.scores_url(0, 1))
    assert await panel.summaries() == [(pytest.approx(each), 0) for each in automatic]


async def test_pages_sorted_by_score_continue_the_previous_one(panel: Panel) -> None:
    first = await panel.get(f"/runs/{panel.run.id}/outputs", sort="score", limit=4)
    rest = await panel.get(
        f"/runs/{panel.run.id}/outputs", sort="score", limit=4, cursor=first["next"]
    )
    assert [each["number"] for each in (*first["items"], *rest["items"])] == [2, 3, 4, 6, 5, 1]


async def test_a_comment_alone_leaves_the_score_to_the_scorers(panel: Panel) -> None:
    before = await panel.summaries()
    scores = (await panel.score(panel.ada, question="rating", comment="Look at this.")).json()

    assert (scores["value"], scores["items"][0]["comment"]) == (None, "Look at this.")
    assert await panel.summaries() == before


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"question": "rating", "answer": 0}, {"answer"}),
        ({"question": "rating", "answer": 6}, {"answer"}),
        ({"question": "thumbs", "answer": 2}, {"answer"}),
        ({"question": "pass_fail", "answer": -1}, {"answer"}),
        ({"question": "rating", "answer": 4.5}, {"answer"}),
        ({"question": "rating", "answer": "4 stars"}, {"answer"}),
        ({"question": "stars", "answer": 4}, {"question"}),
        ({"question": "rating", "answer": 4, "comment": "x" * 10_001}, {"comment"}),
        ({"question": "rating", "answer": 4, "comment": "\u202etxt"}, {"comment"}),
        ({"question": "rating", "answer": 4, "value": 1}, {"value"}),
        ({"question": "rating", "comment": "   "}, {"body"}),
        ({}, {"question"}),
    ],
)
async def test_an_invalid_score_is_refused_and_changes_nothing(
    panel: Panel, body: dict[str, Any], fields: set[str]
) -> None:
    assert fields_of(await panel.score(panel.ada, **body)) == fields
    assert (await panel.get(f"/outputs/{panel.run.outputs[0, 0]}/scores"))["items"] == []


async def test_outputs_of_other_projects_cannot_be_seen_or_scored(panel: Panel) -> None:
    elsewhere = await make_project(panel.app, name="Elsewhere")
    run = await make_scored_run(panel.app, elsewhere.id, cells=[[()]])
    url = f"{panel.url}/outputs/{run.outputs[0, 0]}/scores"
    body = {"question": "thumbs", "answer": 1}

    assert (await panel.ada.browser.get(url)).status_code == 404
    assert (await panel.ada.browser.put(url, json=body)).status_code == 404
    assert (await panel.ada.browser.delete(url)).status_code == 404


async def test_failed_outputs_cannot_be_scored(panel: Panel) -> None:
    async with panel.app.state.database.write() as session:
        run = await add_run(session, panel.project.id)
        failed = await add_output(session, run, status="error", text=None)
        waiting = await add_output(session, run, repeat=1, is_wanted_again=True)
    for output, word in ((failed, "failed"), (waiting, "being made again")):
        response = await panel.ada.browser.put(
            f"{panel.url}/outputs/{output.id}/scores", json={"question": "thumbs", "answer": 1}
        )
        assert response.status_code == 409
        assert word in error_of(response)["message"]


async def test_viewers_may_look_but_not_score(panel: Panel) -> None:
    viewer = await make_member(panel.app, panel.project, Role.VIEWER)
    assert (await viewer.browser.get(panel.scores_url())).status_code == 200
    assert (await panel.score(viewer, question="thumbs", answer=1)).status_code == 403


async def test_a_score_is_audited_and_published(panel: Panel) -> None:
    await panel.score(panel.ada, question="rating", answer=2)
    await panel.score(panel.ada, question="rating", answer=5, comment="Better than I thought")
    await panel.ada.browser.delete(panel.scores_url())

    entries = await _audit(panel.app.state.database, "output.")
    assert [(each.action, each.actor) for each in entries] == [
        ("output.scored", "ada@example.org"),
        ("output.scored", "ada@example.org"),
        ("output.score_removed", "ada@example.org"),
    ]
    assert (entries[1].before or {})["answer"] == 2
    assert (entries[1].after or {})["comment"] == "Better than I thought"
    async with panel.app.state.database.read() as session:
        told = (await session.scalars(select(Event).where(Event.kind == "output.scored"))).all()
    assert [each.data for each in told] == 3 * [
        {"entity_id": str(panel.run.outputs[0, 0]), "run_id": str(panel.run.id)}
    ]


async def test_scores_are_deleted_with_their_answer(desk: Desk) -> None:
    run = await desk.run(scorers=[{"kind": "exact", "options": {}}])
    cell = (await desk.cells(run["id"]))[0]
    url = f"{desk.project_url}/outputs/{cell['id']}/scores"
    editor = desk.dataset.editor
    await editor.put(url, json={"question": "rating", "answer": 5, "comment": "Perfect"})
    flagged = await editor.put(f"{desk.project_url}/outputs/{cell['id']}/flag")
    assert flagged.json()["flag"]["is_mine"] is True
    desk.server.script(openai.completion("Nobody knows."))

    await desk.post(f"/outputs/{cell['id']}/rerun")
    again = await desk.finish(run["id"])

    fresh = (await desk.cells(run["id"]))[0]
    assert (fresh["preview"], fresh["human_value"]) == ("Nobody knows.", None)
    assert (await editor.get(url)).json() == {"value": None, "flag": None, "items": []}
    assert again["variants"][0]["summary"]["human_count"] == 0
    (dropped,) = await _audit(desk.app.state.database, "output.score_outdated")
    assert "Perfect" in json.dumps(dropped.before)

    # A score of the earlier answer is refused.
    late = {"question": "rating", "answer": 5, "about": cell["number"]}
    refused = await editor.put(url, json=late)
    assert refused.status_code == 409
    assert "made again" in error_of(refused)["message"]
    accepted = await editor.put(url, json=late | {"about": fresh["number"]})
    assert accepted.json()["value"] == 1.0


async def _audit(database: Database, action: str) -> list[AuditEntry]:
    async with database.read() as session:
        found = await session.scalars(
            select(AuditEntry).where(AuditEntry.action.startswith(action)).order_by(AuditEntry.id)
        )
        return list(found)
