"""Annotation queues: sampling, blind items, and results."""

import csv
import io
import json
import re
from typing import Any

import pytest
from sqlalchemy import update

from edison.kit import ids
from edison.runs.scoring.repository.seats import LEASE
from edison.runs.store.models import Score
from edison.runs.store.states import RunState
from edison.workspace.projects.models import Role
from tests.conftest import TurnableClock
from tests.factories.projects import MadeMember, make_member, make_project
from tests.factories.scoring import ScorerOf, make_scored_run
from tests.fake_providers import openai
from tests.slices.runs.conftest import Desk
from tests.slices.scoring.conftest import Panel
from tests.support.browser import error_of, fields_of

WAY = re.compile(r"Answer to (\d) in the (\d)th way")


def cell_of(step: dict[str, Any]) -> tuple[int, int]:
    """Case and variant, which the tests encode in the answer."""
    found = WAY.search(step["item"]["text"])
    assert found is not None
    return int(found[1]), int(found[2])


async def walk(panel: Panel, who: MadeMember, queue_id: str, *answers: int) -> list[Any]:
    """Cells in the order in which they are asked; the last answer continues."""
    seen, given = [], list(answers)
    step = await panel.next(who, queue_id)
    while step["item"] is not None:
        seen.append(cell_of(step))
        answer = given.pop(0) if len(given) > 1 else given[0]
        step = (await panel.answer(who, queue_id, step, answer=answer)).json()
    return seen


async def test_a_sample_can_be_repeated_by_its_seed(panel: Panel) -> None:
    orders = [
        await walk(panel, panel.ada, await panel.make_queue(is_unscored_only=False, seed=seed), 3)
        for seed in (1, 1, 2)
    ]
    assert orders[0] == orders[1] != orders[2]
    everything = [(case, variant) for case in range(3) for variant in range(2)]
    assert sorted(orders[0]) == everything
    assert orders[0] != everything


async def test_disagreement_and_uncertainty_are_sampled_first(panel: Panel) -> None:
    queue = await panel.make_queue(strategy="disagreement", sample_size=2, is_unscored_only=False)
    assert await walk(panel, panel.ada, queue, 3) == [(1, 0), (1, 1)]

    flagged = await make_scored_run(
        panel.app,
        panel.project.id,
        cells=[[(0.9,), ((1.0, "judge_unreadable"),)], [(0.45,), (0.52,)]],
        scorers=[ScorerOf(label="Judge")],
    )
    queue = await panel.make_queue(
        run_ids=[str(flagged.id)], strategy="low_confidence", sample_size=3
    )
    assert await walk(panel, panel.ada, queue, 3) == [(0, 1), (1, 1), (1, 0)]


async def test_judges_of_one_panel_may_disagree_most(panel: Panel) -> None:
    judges = [("1", 0.0, None), ("2", 0.9, None), ("3", 1.0, "judge_unreadable")]
    said = {label: {"value": value, "flag": flag} for label, value, flag in judges}
    async with panel.app.state.database.write() as session:
        await session.execute(
            update(Score)
            .where(Score.output_id == panel.run.outputs[0, 1], Score.scorer_position == 0)
            .values(judges=said)
        )
    queue = await panel.make_queue(strategy="disagreement", sample_size=2)
    assert await walk(panel, panel.ada, queue, 3) == [(0, 1), (1, 0)]


async def test_scored_outputs_are_left_out_unless_requested(panel: Panel) -> None:
    await panel.score(panel.bob, 1, 1, question="thumbs", answer=0)
    body: dict[str, Any] = {"run_ids": [str(panel.run.id)], "sample_size": 4}
    url = f"{panel.url}/annotation-queues/preview"
    unscored = await panel.editor.browser.post(url, json=body)
    everything = await panel.editor.browser.post(url, json=body | {"is_unscored_only": False})

    assert unscored.json() == {"available": 5, "chosen": 4}
    assert everything.json() == {"available": 6, "chosen": 4}


async def test_items_do_not_reveal_the_variant(panel: Panel) -> None:
    queue = await panel.make_queue()
    step = await panel.next(panel.ada, queue)

    assert set(step["item"]) == {
        "id", "inputs", "expected", "text", "parsed", "lease_until", "previous",
    }  # fmt: skip
    case, _ = cell_of(step)
    assert step["item"]["inputs"] == {"question": f"Question {case}?"}
    assert step["item"]["expected"] == f"Expected {case}"
    listed = await panel.get("/annotation-queues", panel.ada)
    told = json.dumps([step, listed])
    outputs = [str(each) for each in panel.run.outputs.values()]
    for secret in ("secret-model-name", "Reply", "Gone", str(panel.run.id), "cost", "latency"):
        assert secret not in told
    assert [each for each in outputs if each in told] == []


async def test_an_item_is_scored_once_per_person_up_to_the_overlap(panel: Panel) -> None:
    queue = await panel.make_queue(sample_size=1, overlap=2)
    first, second = [await panel.next(who, queue) for who in (panel.ada, panel.bob)]
    assert first["item"]["id"] == second["item"]["id"]
    assert (await panel.next(panel.editor, queue))["item"] is None

    # Asking again gives the same item.
    assert (await panel.next(panel.ada, queue))["item"]["id"] == first["item"]["id"]
    done = (await panel.answer(panel.ada, queue, first, answer=4)).json()
    assert done["item"] is None
    assert done["queue"]["progress"] == {
        "items": 1,
        "done_items": 0,
        "answers": 1,
        "wanted_answers": 2,
        "my_answers": 1,
        "my_skips": 0,
        "left_for_me": 0,
    }
    assert (await panel.answer(panel.ada, queue, first, answer=5)).status_code == 409
    await panel.answer(panel.bob, queue, second, answer=5)
    progress = (await panel.get(f"/annotation-queues/{queue}"))["progress"]
    assert (progress["done_items"], progress["answers"]) == (1, 2)
    assert (await panel.get(f"/runs/{panel.run.id}/outputs", is_human=True))["total"] == 1


async def test_an_expired_lease_goes_to_the_next_reviewer(
    panel: Panel, turnable_clock: TurnableClock
) -> None:
    queue = await panel.make_queue(sample_size=1)
    mine = await panel.next(panel.ada, queue)
    assert (await panel.next(panel.bob, queue))["item"] is None

    turnable_clock.advance(seconds=LEASE.total_seconds() + 1)
    theirs = await panel.next(panel.bob, queue)

    assert theirs["item"]["id"] == mine["item"]["id"]
    refused = await panel.answer(panel.ada, queue, mine, answer=1)
    assert refused.status_code == 409
    assert "your time ran out" in error_of(refused)["message"]
    assert (await panel.answer(panel.bob, queue, theirs, answer=5)).status_code == 200
    assert await panel.listed(min_score=1) == [cell_of(mine)]


async def test_a_late_answer_counts_if_the_item_was_not_reassigned(
    panel: Panel, turnable_clock: TurnableClock
) -> None:
    queue = await panel.make_queue(sample_size=1)
    step = await panel.next(panel.ada, queue)
    turnable_clock.advance(hours=3)
    assert (await panel.answer(panel.ada, queue, step, answer=5)).status_code == 200


async def test_skipping_leaves_an_output_to_others_and_can_be_undone(panel: Panel) -> None:
    queue = await panel.make_queue(sample_size=1)
    step = await panel.next(panel.ada, queue)
    url = f"{panel.url}/annotation-queues/{queue}/items/{step['item']['id']}"
    assert fields_of(await panel.ada.browser.post(f"{url}/skip", json={"reason": " "})) == {
        "reason"
    }
    skipped = (await panel.ada.browser.post(f"{url}/skip", json={"reason": "Not my field"})).json()
    assert (skipped["item"], skipped["queue"]["progress"]["my_skips"]) == (None, 1)

    back = (await panel.ada.browser.post(f"{url}/undo")).json()
    assert (back["item"]["id"], back["queue"]["progress"]["my_skips"]) == (step["item"]["id"], 0)
    await panel.ada.browser.post(f"{url}/skip", json={"reason": "Not my field"})
    theirs = await panel.next(panel.bob, queue)
    assert theirs["item"]["id"] == step["item"]["id"]
    assert (await panel.ada.browser.post(f"{url}/undo")).status_code == 409
    results = await panel.get(f"/annotation-queues/{queue}/results")
    assert results["skips"] == [{"reason": "Not my field", "count": 1}]


async def test_undo_brings_the_answer_back_and_takes_the_score_back(panel: Panel) -> None:
    queue = await panel.make_queue(sample_size=2)
    first = await panel.next(panel.ada, queue)
    await panel.answer(panel.ada, queue, first, answer=2, comment="Hasty")
    assert (await panel.get(f"/runs/{panel.run.id}/outputs", is_human=True))["total"] == 1

    url = f"{panel.url}/annotation-queues/{queue}/items/{first['item']['id']}/undo"
    back = (await panel.ada.browser.post(url)).json()

    assert back["item"]["id"] == first["item"]["id"]
    assert back["item"]["previous"] == {"answer": 2, "criteria": None, "comment": "Hasty"}
    assert back["queue"]["progress"]["left_for_me"] == 2
    assert (await panel.get(f"/runs/{panel.run.id}/outputs", is_human=True))["total"] == 0
    assert (await panel.ada.browser.post(url)).status_code == 409


async def test_criteria_are_scored_separately_and_weighted(panel: Panel) -> None:
    queue = await panel.make_queue(
        sample_size=1,
        criteria=[{"name": "Tone", "weight": 3}, {"name": "Facts", "description": "All true"}],
    )
    step = await panel.next(panel.ada, queue)
    for body, fields in (
        ({"answer": 4}, {"criteria.Tone", "criteria.Facts"}),
        ({"criteria": {"Tone": 4}}, {"criteria.Facts"}),
        ({"criteria": {"Tone": 9, "Facts": 5}}, {"criteria.Tone"}),
        ({"criteria": {"Tone": 4, "Facts": 5, "Wit": 5}}, {"criteria.Wit"}),
    ):
        assert fields_of(await panel.answer(panel.ada, queue, step, **body)) == fields

    await panel.answer(panel.ada, queue, step, criteria={"Facts": 5, "Tone": 1})

    results = await panel.get(f"/annotation-queues/{queue}/results")
    assert results["mean"] == pytest.approx(0.25)
    case, variant = cell_of(step)
    scores = await panel.get(f"/outputs/{panel.run.outputs[case, variant]}/scores")
    assert scores["items"][0]["criteria"] == {"Tone": 1, "Facts": 5}


async def test_results_contain_agreement_and_means(panel: Panel) -> None:
    queue = await panel.make_queue(sample_size=4, overlap=2, seed=5)
    seen = await walk(panel, panel.ada, queue, 5, 4, 3, 1)
    await walk(panel, panel.bob, queue, 5, 5, 1, 1)

    results = await panel.get(f"/annotation-queues/{queue}/results")
    # Of four pairs two are equal, and one more is one apart. By ranks, the disagreement is 2 where
    # chance would make it 608 / 56.
    assert results["agreement"] == {
        "items": 4,
        "pairs": 4,
        "share": 0.5,
        "near_share": 0.75,
        "alpha": pytest.approx(1 - 2 * 56 / 608),
    }
    assert [(each["answers"], each["mean"]) for each in results["people"]] == [
        (4, pytest.approx((1 + 0.75 + 0.5 + 0) / 4)),
        (4, pytest.approx((1 + 1 + 0 + 0) / 4)),
    ]
    means = dict(zip(seen, [1, 0.875, 0.25, 0], strict=True))
    expected = {}
    for variant in {variant for _, variant in seen}:
        of_it = [mean for (_, at), mean in means.items() if at == variant]
        expected[["Reply v1 · Gone", "Reply v1 · secret-model-name"][variant]] = (
            len(of_it),
            pytest.approx(sum(of_it) / len(of_it)),
        )
    assert {
        each["variant"]: (each["items"], each["mean"]) for each in results["variants"]
    } == expected


async def test_the_export_of_results_contains_no_formulas(panel: Panel) -> None:
    queue = await panel.make_queue(name="Été / 12", sample_size=1)
    step = await panel.next(panel.ada, queue)
    await panel.answer(panel.ada, queue, step, answer=4, comment="=HYPERLINK(1)")

    response = await panel.editor.browser.get(f"{panel.url}/annotation-queues/{queue}/export")

    assert "filename*=UTF-8''%C3%89t%C3%A9%20-%2012.csv" in response.headers["content-disposition"]
    (row,) = csv.DictReader(io.StringIO(response.text))
    case, _ = cell_of(step)
    assert (row["person"], row["answer"], row["value"]) == ("ada@example.org", "4", "0.75")
    assert row["comment"] == "'=HYPERLINK(1)"
    assert (row["case"], row["expected"]) == (str(case + 1), f"Expected {case}")
    assert json.loads(row["inputs"]) == {"question": f"Question {case}?"}


async def test_a_queue_that_is_not_open_takes_no_scores(panel: Panel) -> None:
    queue = await panel.make_queue()
    step = await panel.next(panel.ada, queue)
    url = f"{panel.url}/annotation-queues/{queue}"
    for action, state in (("pause", "paused"), ("close", "closed")):
        assert (await panel.editor.browser.post(f"{url}/{action}")).json()["state"] == state
        refused = await panel.answer(panel.ada, queue, step, answer=3)
        assert refused.status_code == 409
        assert f"This queue is {state}" in error_of(refused)["message"]
        assert (await panel.ada.browser.post(f"{url}/next")).status_code == 409
    assert (await panel.editor.browser.post(f"{url}/pause")).status_code == 409
    assert (await panel.editor.browser.post(f"{url}/open")).json()["state"] == "open"
    assert (await panel.answer(panel.ada, queue, step, answer=3)).status_code == 200


async def test_only_assignees_may_score(panel: Panel) -> None:
    queue = await panel.make_queue(assignee_ids=[str(panel.ada.user.id)])
    seen = await panel.get(f"/annotation-queues/{queue}", panel.bob)
    assert (seen["is_for_me"], seen["progress"]["left_for_me"]) == (False, 0)
    refused = await panel.bob.browser.post(f"{panel.url}/annotation-queues/{queue}/next")
    assert refused.status_code == 403
    assert (await panel.next(panel.ada, queue))["item"] is not None

    viewer = await make_member(panel.app, panel.project, Role.VIEWER)
    body = {"name": "x", "run_ids": [str(panel.run.id)], "question": "thumbs"}
    unsuited = body | {"assignee_ids": [str(panel.ada.user.id), str(viewer.user.id)]}
    response = await panel.editor.browser.post(f"{panel.url}/annotation-queues", json=unsuited)
    assert fields_of(response) == {"assignee_ids.1"}


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"name": " "}, {"name"}),
        ({"run_ids": []}, {"run_ids"}),
        ({"sample_size": 0}, {"sample_size"}),
        ({"sample_size": 2001}, {"sample_size"}),
        ({"overlap": 0}, {"overlap"}),
        ({"strategy": "best"}, {"strategy"}),
        ({"criteria": []}, {"criteria"}),
        ({"criteria": [{"name": "Tone"}, {"name": "tone"}]}, {"body"}),
        ({"criteria": [{"name": f"C{at}"} for at in range(11)]}, {"criteria"}),
    ],
)
async def test_an_invalid_queue_is_refused(
    panel: Panel, change: dict[str, Any], fields: set[str]
) -> None:
    body = {"name": "x", "run_ids": [str(panel.run.id)], "question": "rating"} | change
    response = await panel.editor.browser.post(f"{panel.url}/annotation-queues", json=body)
    assert fields_of(response) == fields
    assert (await panel.get("/annotation-queues"))["total"] == 0


async def test_runs_without_answers_and_runs_of_others_cannot_be_asked_about(
    panel: Panel,
) -> None:
    elsewhere = await make_project(panel.app, name="Elsewhere")
    foreign = await make_scored_run(panel.app, elsewhere.id, cells=[[()]])
    empty = await make_scored_run(panel.app, panel.project.id, cells=[], state=RunState.CANCELLED)
    for run_ids, status in (
        ([str(empty.id)], 409),
        ([str(foreign.id)], 404),
        ([str(panel.run.id), str(foreign.id)], 404),
        ([str(ids.new_id())], 404),
    ):
        body = {"name": "x", "run_ids": run_ids, "question": "rating"}
        response = await panel.editor.browser.post(f"{panel.url}/annotation-queues", json=body)
        assert response.status_code == status


async def test_an_output_whose_score_was_removed_is_queued_again(panel: Panel) -> None:
    queue = await panel.make_queue(sample_size=1)
    step = await panel.next(panel.ada, queue)
    await panel.answer(panel.ada, queue, step, answer=3)
    await panel.ada.browser.delete(panel.scores_url(*cell_of(step)))
    assert (await panel.get(f"/annotation-queues/{queue}"))["progress"]["answers"] == 0
    assert (await panel.next(panel.bob, queue))["item"]["id"] == step["item"]["id"]


async def test_a_rerun_answer_is_queued_again(desk: Desk) -> None:
    run = await desk.run(cases={"limit": 1})
    editor, url = desk.dataset.editor, f"{desk.project_url}/annotation-queues"
    body = {"name": "q", "run_ids": [run["id"]], "question": "thumbs"}
    queue = (await editor.post(url, json=body)).json()["id"]
    step = (await editor.post(f"{url}/{queue}/next")).json()
    await editor.put(f"{url}/{queue}/items/{step['item']['id']}/score", json={"answer": 1})
    (cell,) = await desk.cells(run["id"])
    desk.server.script(openai.completion("Something else."))

    await desk.post(f"/outputs/{cell['id']}/rerun")
    await desk.finish(run["id"])

    again = (await editor.post(f"{url}/{queue}/next")).json()
    assert again["item"]["text"] == "Something else."
    assert again["queue"]["progress"]["answers"] == 0


async def test_a_deleted_queue_keeps_its_scores(panel: Panel) -> None:
    queue = await panel.make_queue()
    await panel.answer(panel.ada, queue, await panel.next(panel.ada, queue), answer=4)
    url = f"{panel.url}/annotation-queues/{queue}"
    changed = await panel.editor.browser.patch(url, json={"name": "Better", "instructions": "Go"})
    assert (changed.json()["name"], changed.json()["instructions"]) == ("Better", "Go")
    assert (await panel.editor.browser.delete(url)).status_code == 204
    assert (await panel.editor.browser.get(url)).status_code == 404
    assert (await panel.get(f"/runs/{panel.run.id}/outputs", is_human=True))["total"] == 1
