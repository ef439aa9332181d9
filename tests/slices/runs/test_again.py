"""Re-run cells, re-runs, and replays from stored answers."""

import json

from tests.factories.models import make_credential, make_model
from tests.fake_providers import openai
from tests.slices.runs.conftest import Desk
from tests.support.browser import error_of


async def judge(desk: Desk) -> dict[str, object]:
    """A scorer that calls a simulated model."""
    credential = await make_credential(
        desk.app, desk.dataset.project.id, settings={"latency_scale": 0}
    )
    model = await make_model(desk.app, credential, "sim-large")
    return {
        "kind": "judge",
        "options": {
            "model_id": str(model.id),
            "criteria": [
                {"name": "Kindness", "description": "Friendly in tone", "weight": 0.5},
                {"name": "Brevity", "description": "Not a word too many", "weight": 0.5},
            ],
        },
    }


async def test_a_cell_is_rerun_without_the_cache(desk: Desk) -> None:
    run = await desk.run(scorers=[{"kind": "contains", "options": {"phrases": ["new"]}}])
    cell = (await desk.cells(run["id"]))[2]
    desk.server.script(openai.completion("A new answer."))

    response = await desk.post(f"/outputs/{cell['id']}/rerun")
    assert response.status_code == 200, response.text
    ended = await desk.finish(run["id"])

    cells = await desk.cells(run["id"])
    assert [each["preview"] for each in cells].count("A new answer.") == 1
    assert cells[2]["id"] == cell["id"]
    assert [each["scores"][0]["value"] for each in cells] == [0, 0, 1, 0, 0, 0]
    assert (ended["done_count"], ended["score_count"], ended["state"]) == (6, 6, "completed")
    assert len(desk.server.received) == 7


async def test_a_rerun_uses_the_original_inputs(desk: Desk) -> None:
    run = await desk.run()
    dataset = desk.dataset
    listed = await dataset.cases()
    await dataset.editor.patch(
        f"{dataset.url}/cases/{listed[0]['id']}",
        json={"version": 1, "inputs": {"question": "Something else?"}},
    )

    response = await desk.post(f"/runs/{run['id']}/again")
    assert response.status_code == 201, response.text
    again = await desk.finish(response.json()["id"])

    assert again["parent_id"] == run["id"]
    first = [row["inputs"] for row in await desk.rows(run["id"])]
    assert [row["inputs"] for row in await desk.rows(again["id"])] == first


async def test_a_replay_calls_no_model_and_gives_identical_scores(desk: Desk) -> None:
    scorers = [await judge(desk), {"kind": "contains", "options": {"phrases": ["way"]}}]
    run = await desk.run(scorers=scorers)
    assert run["state"] == "completed", run["message"]
    spent = len(await desk.ledger())
    asked = len(desk.server.received)

    response = await desk.post(f"/runs/{run['id']}/replay")
    assert response.status_code == 201, response.text
    replay = await desk.finish(response.json()["id"])

    assert replay["state"] == "completed", replay["message"]
    assert (len(await desk.ledger()), len(desk.server.received)) == (spent, asked)
    assert float(replay["cost_usd"]) == 0
    assert replay["score"] == run["score"]
    compared = await desk.get(f"/runs/{replay['id']}/replay-comparison")
    assert compared == {
        "is_identical": True,
        "outputs_compared": 6,
        "scores_compared": 12,
        "differing_outputs": 0,
        "differing_scores": 0,
        "comparisons_compared": 0,
        "differing_comparisons": 0,
    }


async def test_only_a_replay_can_be_compared_with_its_original(desk: Desk) -> None:
    run = await desk.run()

    response = await desk.dataset.editor.get(f"{desk.url}/{run['id']}/replay-comparison")
    assert response.status_code == 409
    assert error_of(response)["message"] == "This run is no replay of another one."


async def test_an_output_stores_its_exact_request(desk: Desk) -> None:
    run = await desk.run()
    cell = (await desk.cells(run["id"]))[0]

    output = await desk.get(f"/outputs/{cell['id']}")

    sent = json.loads(desk.server.received[0].raw)["messages"]
    asked = output["sent"]["messages"]
    assert [message["text"] for message in asked] == [
        "Answer the customer's question kindly and in one paragraph: Where is parcel number 0?"
    ]
    assert any(message["content"] == asked[0]["text"] for message in sent) or len(sent) == 1
    provenance = output["provenance"]
    assert provenance["prompt_label"] == "Reply v1"
    assert provenance["model"] == "gpt-x-2026-01-01"
    assert provenance["request_id"] == openai.REQUEST_ID
    assert provenance["price_version"] == "own"
    assert len(provenance["prompt_digest"]) == len(provenance["cache_key"]) == 64


async def test_repeats_are_separate_calls(desk: Desk) -> None:
    run = await desk.run(repeats=3)

    assert run["cell_count"] == 18
    assert run["cached_count"] == 0
    assert len(desk.server.received) == 18
