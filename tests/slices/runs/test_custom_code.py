"""Custom code in runs: results are stored, errors are reported, and the run continues."""

import pytest

from edison.pipeline.score.sandbox.workers import sandbox
from tests.slices.runs.conftest import Desk

GOOD = """
def score(output, expected, inputs):
    print("dropped")
    is_odd = int(inputs["question"].split()[-1].rstrip("?")) % 2
    return {"score": 0.5, "reason": f"odd: {is_odd}", "odd": is_odd}
"""
BAD = """
def score(output, expected, inputs):
    return 1 / 0
"""


def custom(code: str) -> dict[str, object]:
    return {"kind": "custom_code", "options": {"code": code}}


async def test_a_run_scores_with_code_and_survives_code_that_fails(desk: Desk) -> None:
    run = await desk.run(cases={"limit": 2}, scorers=[custom(GOOD), custom(BAD)])
    assert run["state"] == "completed", run["message"]
    outputs = [await desk.get(f"/outputs/{cell['id']}") for cell in await desk.cells(run["id"])]
    told = sorted(output["details"][0]["rationale"] for output in outputs)
    assert told == ["odd: 0", "odd: 1"]
    for output in outputs:
        good, bad = output["details"]
        assert (good["value"], good["flag"]) == (0.5, None)
        assert good["criteria"]["odd"]["value"] == float(good["rationale"][-1])
        assert (bad["value"], bad["flag"]) == (None, "code_failed")
        assert bad["rationale"] == "Line 3: ZeroDivisionError: division by zero"

    replay = await desk.finish((await desk.post(f"/runs/{run['id']}/replay")).json()["id"])
    compared = await desk.get(f"/runs/{replay['id']}/replay-comparison")
    assert (compared["is_identical"], compared["scores_compared"]) == (True, 4)


async def test_without_a_sandbox_custom_code_is_refused_with_the_reason(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTY_BIN", "/bin/false")
    sandbox.cache_clear()
    try:
        kinds = {kind["kind"]: kind["obstacle"] for kind in await desk.get("/scorers/kinds")}
        refused = await desk.dataset.editor.post(desk.url, json=desk.body(scorers=[custom(GOOD)]))
    finally:
        sandbox().close()
        sandbox.cache_clear()
    assert kinds.pop("custom_code").startswith("Custom code is switched off")
    assert set(kinds.values()) == {None}
    assert refused.status_code == 400
    assert "scorers.0.kind" in refused.text
