"""Two runs compared case by case."""

import pytest

from edison.kit import ids
from tests.factories.scoring import ScorerOf
from tests.slices.results.conftest import Desk
from tests.support.browser import fields_of

SCORER = ScorerOf(label="S")


async def test_runs_are_paired_by_the_contents_of_their_cases(desk: Desk) -> None:
    before = await desk.make_run([[(0.5,)], [(0.5,)], [(0.5,)], [(0.9,)]], SCORER)
    after = await desk.make_run([[(0.9,)], [(0.2,)], [(0.5,)], [(0.1,)], [(0.3,)]], SCORER)
    # The fourth case has another expected answer since, so it is another case.
    await desk.change_case(after, 3, expected="Something else")
    await desk.change_case(after, 0, tags=["new"], case_version=7)
    found = await desk.read(f"{before.id}/compare/{after.id}")
    assert (found["shared_cases"], found["only_in_baseline"], found["only_in_other"]) == (3, 1, 2)
    (comparison,) = found["comparisons"]
    assert (comparison["improved"], comparison["regressed"], comparison["unchanged"]) == (1, 1, 1)
    assert comparison["difference"]["value"] == pytest.approx(0.1 / 3)
    assert comparison["verdict"] == "no_evidence"

    first = await desk.read(f"{before.id}/compare/{after.id}/cases", limit=2)
    assert first["total"] == 3
    assert [(each["position"], each["difference"]) for each in first["items"]] == [
        (1, pytest.approx(-0.3)),
        (2, 0.0),
    ]
    assert first["items"][0]["inputs_preview"] == "Question 1?"
    assert first["items"][0]["output_id"] == str(after.outputs[1, 0])
    assert first["items"][0]["baseline_output_id"] == str(before.outputs[1, 0])
    rest = await desk.read(f"{before.id}/compare/{after.id}/cases", limit=2, cursor=first["next"])
    assert [(each["position"], each["difference"]) for each in rest["items"]] == [(0, 0.4)]
    assert rest["next"] is None


async def test_variants_are_matched_or_chosen(desk: Desk) -> None:
    before = await desk.make_run([[(0.5,), (0.1,)] for _ in range(8)], SCORER)
    after = await desk.make_run([[(0.6,), (0.7,)] for _ in range(8)], SCORER)
    path = f"{before.id}/compare/{after.id}"
    matched = (await desk.read(path))["comparisons"]
    assert [(each["baseline"], each["other"], each["verdict"]) for each in matched] == [
        (0, 0, "better"),
        (1, 1, "better"),
    ]
    # 2 of 256 ways to sign eight equal differences, and twice that for two comparisons.
    assert {each["adjusted_p_value"] for each in matched} == {4 / 2**8}
    (chosen,) = (await desk.read(path, baseline_variant=0, variant=1))["comparisons"]
    assert (chosen["baseline"], chosen["other"]) == (0, 1)
    assert (chosen["difference"]["value"], chosen["p_value"]) == (pytest.approx(0.2), 2 / 2**8)
    refused = await desk.get(path, baseline_variant=0, variant=2)
    assert (refused.status_code, fields_of(refused)) == (400, {"variant"})


async def test_runs_without_a_case_in_common_are_no_evidence(desk: Desk) -> None:
    before = await desk.make_run([[(0.5,)]], SCORER)
    after = await desk.make_run([[(0.9,)]], SCORER)
    await desk.change_case(after, 0, inputs={"question": "Another?"})
    path = f"{before.id}/compare/{after.id}"
    (comparison,) = (await desk.read(path))["comparisons"]
    assert (comparison["verdict"], comparison["p_value"]) == ("no_evidence", None)
    assert (await desk.read(f"{path}/cases"))["items"] == []
    assert (await desk.get(f"{before.id}/compare/{ids.new_id()}")).status_code == 404
    broken = await desk.get(f"{path}/cases", cursor="nonsense")
    assert (broken.status_code, fields_of(broken)) == (400, {"cursor"})
