"""Cases with the answers of several variants side by side: found, sorted and marked."""

from typing import Any

import pytest
from sqlalchemy import select

from edison.kit import ids
from edison.workspace.audit.models import AuditEntry
from tests.factories.scoring import MadeRun, ScorerOf
from tests.slices.results.conftest import FACTS, JUDGES, TONE, Desk
from tests.support.browser import fields_of

STRICT, LENIENT = ScorerOf(label="Strict"), ScorerOf(label="Lenient")


async def _positions(desk: Desk, run: MadeRun, **query: Any) -> list[int]:
    found = await desk.read(f"{run.id}/cases", **query)
    assert found["total"] == len(found["items"])
    return [each["position"] for each in found["items"]]


@pytest.fixture
async def run(desk: Desk) -> MadeRun:
    """Two variants; the third case has no scores, the fourth failed once."""
    made = await desk.make_run(
        [
            [(0.9, 0.7), (0.6, 0.6)],
            [(0.1, 0.5), (0.4, 0.4)],
            [(None, None), (None, None)],
            [(0.5, 0.5), (None, None)],
        ],
        STRICT,
        LENIENT,
    )
    await desk.change_case(made, 0, tags=["refund"], difficulty=2)
    await desk.change_case(made, 1, tags=["refund", "angry"], difficulty=5)
    await desk.change_output(made.outputs[0, 0], cost_nanos=3_000, latency_seconds=1.0)
    await desk.change_output(made.outputs[0, 1], cost_nanos=4_000, latency_seconds=2.0)
    await desk.change_output(made.outputs[1, 0], cost_nanos=9_000, latency_seconds=0.5)
    await desk.change_output(made.outputs[3, 1], status="error", text=None, error="timeout")
    return made


async def test_figures_of_a_case_follow_from_its_columns(desk: Desk, run: MadeRun) -> None:
    first = (await desk.read(f"{run.id}/cases"))["items"][0]
    assert first["inputs_preview"] == "Question 0?"
    assert (first["tags"], first["difficulty"], first["is_flagged"]) == (["refund"], 2, False)
    assert first["score"] == pytest.approx(0.7)
    assert first["difference"] == pytest.approx(0.2)
    assert first["disagreement"] == pytest.approx(0.2)
    assert (first["cost_usd"], first["latency_seconds"]) == ("0.000007", 2.0)
    assert [
        (cell["variant"], cell["position"], cell["output_id"], cell["score"])
        for cell in first["cells"]
    ] == [
        (0, 0, str(run.outputs[0, 0]), pytest.approx(0.8)),
        (1, 0, str(run.outputs[0, 1]), pytest.approx(0.6)),
    ]
    (alone,) = (await desk.read(f"{run.id}/cases", column="1", limit=1))["items"]
    assert [cell["variant"] for cell in alone["cells"]] == [1]
    assert (alone["score"], alone["difference"]) == (pytest.approx(0.6), None)


async def test_cases_are_sorted_with_unknown_values_last(desk: Desk, run: MadeRun) -> None:
    orders = {
        "position": [0, 1, 2, 3],
        "worst": [1, 3, 0, 2],
        "best": [0, 3, 1, 2],
        "difference": [0, 1, 2, 3],
        "disagreement": [1, 0, 3, 2],
        "cost": [1, 0, 2, 3],
        "latency": [0, 1, 2, 3],
    }
    assert {order: await _positions(desk, run, order=order) for order in orders} == orders
    page = await desk.read(f"{run.id}/cases", order="worst", limit=3)
    rest = await desk.read(f"{run.id}/cases", order="worst", limit=3, cursor=page["next"])
    assert [each["position"] for each in page["items"] + rest["items"]] == orders["worst"]
    assert (page["total"], rest["next"]) == (4, None)
    broken = await desk.get(f"{run.id}/cases", cursor="WzFd")
    assert (broken.status_code, fields_of(broken)) == (400, {"cursor"})


async def test_cases_are_filtered_by_conditions_on_any_column(desk: Desk, run: MadeRun) -> None:
    found: list[tuple[dict[str, Any], list[int]]] = [
        ({"min_score": 0.75}, [0]),
        ({"max_score": 0.45}, [1]),
        ({"min_score": 0.3, "max_score": 0.5}, [1, 3]),
        ({"status": "error"}, [3]),
        ({"tag": "angry"}, [1]),
        ({"difficulty": 2}, [0]),
        ({"min_disagreement": 0.3}, [1]),
        ({"is_flagged": False}, [0, 1, 2, 3]),
        ({"criterion": "s0", "max_score": 0.2}, [1]),
        ({"criterion": "s0", "order": "best"}, [0, 3, 1, 2]),
        ({"tag": "refund", "status": "error"}, []),
    ]
    for wanted, positions in found:
        assert await _positions(desk, run, **wanted) == positions, wanted


async def test_criteria_and_judges_of_a_panel_are_distinguished(desk: Desk) -> None:
    panel = ScorerOf(label="Panel", options={"criteria": [TONE, FACTS], "judges": list(JUDGES)})
    run = await desk.make_run([[(None,)], [(None,)]], panel)
    await desk.add_panel_score(run, 0, 0, {JUDGES[0]: (1.0, 0.2), JUDGES[1]: (0.6, 0.2)})
    await desk.add_panel_score(run, 1, 0, {JUDGES[0]: (0.5, 0.9), JUDGES[1]: (0.5, 0.9)})
    assert await _positions(desk, run, order="worst") == [1, 0]
    assert await _positions(desk, run, order="worst", criterion="s0.1") == [0, 1]
    first, second = (await desk.read(f"{run.id}/cases"))["items"]
    assert first["disagreement"] == pytest.approx(0.75 * 0.4)
    assert second["disagreement"] == pytest.approx(0.0)


async def test_a_column_of_another_run_is_paired_by_case_contents(desk: Desk, run: MadeRun) -> None:
    other = await desk.make_run([[(0.2, 0.2)], [(0.9, 0.9)]], STRICT, LENIENT)
    # The two cases change places, and the second of this run is not among them.
    await desk.change_case(other, 1, inputs={"question": "Question 0?"}, expected="Expected 0")
    await desk.change_case(other, 0, inputs={"question": "Question 3?"}, expected="Expected 3")
    columns = ["0", f"{other.id}.0"]
    found = (await desk.read(f"{run.id}/cases", column=columns))["items"]
    assert [(each["cells"][1]["position"], each["cells"][1]["output_id"]) for each in found] == [
        (1, str(other.outputs[1, 0])),
        (None, None),
        (None, None),
        (0, str(other.outputs[0, 0])),
    ]
    assert [each["difference"] for each in found] == [
        pytest.approx(0.1),
        None,
        None,
        pytest.approx(0.3),
    ]
    unknown = await desk.get(f"{run.id}/cases", column=["2"])
    assert (unknown.status_code, fields_of(unknown)) == (400, {"column"})
    gone = await desk.get(f"{run.id}/cases", column=[f"{ids.new_id()}.0"])
    assert gone.status_code == 404


async def test_flagged_answers_are_found_until_they_are_unflagged(desk: Desk, run: MadeRun) -> None:
    url = f"/api/v1/projects/{desk.project.slug}/outputs/{run.outputs[1, 1]}/flag"
    assert (await desk.viewer.browser.put(url)).status_code == 403
    flagged = (await desk.reviewer.browser.put(url)).json()
    assert flagged["flag"]["is_mine"] is True
    assert flagged["flag"]["person"]["id"] == str(desk.reviewer.user.id)
    assert await _positions(desk, run, is_flagged=True) == [1]
    assert (await desk.reviewer.browser.delete(url)).json()["flag"] is None
    assert await _positions(desk, run, is_flagged=True) == []
    async with desk.app.state.database.read() as session:
        noted = await session.scalars(
            select(AuditEntry.action).where(AuditEntry.entity_id == str(run.outputs[1, 1]))
        )
    assert sorted(noted) == ["output.flagged", "output.unflagged"]
