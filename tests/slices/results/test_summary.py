"""Results of a run, against numbers computed by hand."""

import pytest

from edison.runs.store.states import RunState
from tests.factories.scoring import ScorerOf
from tests.slices.results.conftest import FACTS, JUDGES, TONE, Desk

TWO_SCORERS = (ScorerOf(label="Strict", weight=3), ScorerOf(label="Lenient"))
CELLS = [
    [(0.9, 1.0), (0.1, 0.2)],
    [(0.1, 0.9), (0.2, 0.8)],
    [(0.5, 0.6), (0.45, None)],
]
PANEL = ScorerOf(label="Panel", options={"judges": list(JUDGES), "criteria": [TONE, FACTS]})


async def test_composites_criteria_and_costs_of_variants(desk: Desk) -> None:
    run = await desk.make_run(CELLS, *TWO_SCORERS)
    for case, seconds in enumerate((1.0, 2.0, 4.0)):
        await desk.change_output(
            run.outputs[case, 0], latency_seconds=seconds, input_tokens=10, output_tokens=5
        )
    await desk.change_output(run.outputs[0, 1], cost_nanos=None)
    found = await desk.read(f"{run.id}/summary")

    assert (found["is_final"], found["best"]) == (True, None)
    assert found["progress"]["cells_done"] == found["progress"]["cells"] == 6
    first, second = found["variants"]
    # (3 * 0.9 + 1.0) / 4 and so on; without a score of Lenient, that of Strict alone.
    assert first["composite"]["value"] == pytest.approx((0.925 + 0.3 + 0.525) / 3)
    assert second["composite"]["value"] == pytest.approx((0.125 + 0.35 + 0.45) / 3)
    assert first["composite"]["cases"] == 3
    interval = first["composite"]["interval"]
    assert 0 <= interval["low"] < first["composite"]["value"] < interval["high"] <= 1
    assert [(each["name"], each["weight"]) for each in found["criteria"]] == [
        ("Strict", 0.75),
        ("Lenient", 0.25),
    ]
    strict, lenient = first["criteria"]
    assert (strict["minimum"], strict["maximum"]) == (0.1, 0.9)
    assert strict["mean"]["value"] == pytest.approx(0.5)
    assert strict["standard_deviation"] == pytest.approx(0.4)
    assert strict["distribution"]["counts"] == [0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    assert lenient["mean"]["value"] == pytest.approx(2.5 / 3)
    assert second["criteria"][1]["mean"]["cases"] == 2
    assert (first["latency_p50_seconds"], first["latency_p95_seconds"]) == (2.0, 3.8)
    assert (first["input_tokens"], first["output_tokens"]) == (30, 15)
    assert (first["answer_cost_usd"], second["answer_cost_usd"]) == ("0.000003", "0.000002")
    assert (second["unpriced"], second["cost_per_answer_usd"]) == (1, "0.000001")
    averages = first["averages"]
    assert averages["latency_seconds"]["value"] == pytest.approx(7 / 3)
    # 4.303 standard errors of 0.882 seconds, cut off at zero.
    assert averages["latency_seconds"]["interval"]["low"] == 0
    assert averages["latency_seconds"]["interval"]["high"] == pytest.approx(6.128, abs=0.001)
    even = {"value": 10.0, "interval": {"low": 10.0, "high": 10.0}, "answers": 3}
    assert averages["input_tokens"] == even
    assert averages["output_tokens"]["value"] == 5
    assert averages["cost_usd"]["value"] == pytest.approx(0.000001)
    assert second["averages"]["cost_usd"]["answers"] == 2
    assert second["averages"]["latency_seconds"] == {"value": None, "interval": None, "answers": 0}
    # As cheap, and better on average, which three cases do not prove.
    assert (first["is_on_front"], second["is_on_front"]) == (False, False)


async def test_the_verdict_between_variants_and_the_cases_needed(desk: Desk) -> None:
    run = await desk.make_run(CELLS, *TWO_SCORERS)
    (few,) = (await desk.read(f"{run.id}/summary"))["comparisons"]
    # Differences are -0.8, 0.05 and -0.075: four of eight ways to sign them get as far from 0.
    assert (few["baseline"], few["other"], few["verdict"]) == (0, 1, "no_evidence")
    assert few["difference"]["value"] == pytest.approx(-0.825 / 3)
    assert few["p_value"] == few["adjusted_p_value"] == 0.5
    assert (few["improved"], few["regressed"], few["unchanged"]) == (1, 2, 0)
    assert few["cases_needed"] > 3
    assert few["minimum_detectable_effect"] > 0.275

    clear = await desk.make_run(
        [[(0.5,), (0.6 + at / 100,)] for at in range(8)], ScorerOf(label="S")
    )
    (many,) = (await desk.read(f"{clear.id}/summary"))["comparisons"]
    assert (many["verdict"], many["p_value"]) == ("better", 2 / 2**8)
    assert many["difference"]["value"] == pytest.approx(0.135)


async def test_facets_of_cases(desk: Desk) -> None:
    run = await desk.make_run([[(0.2,)], [(0.4,)], [(0.9,)]], ScorerOf(label="S"))
    await desk.change_case(run, 0, tags=["refund"], difficulty=1, inputs={"q": "x" * 300})
    await desk.change_case(run, 1, tags=["refund", "rude"], difficulty=5)
    found = (await desk.read(f"{run.id}/summary"))["facets"]
    shown = [
        (each["kind"], each["facet"], each["composite"]["value"], each["composite"]["cases"])
        for each in found
    ]
    assert shown == [
        ("tag", "refund", pytest.approx(0.3), 2),
        ("tag", "rude", 0.4, 1),
        ("length", "XS", pytest.approx(0.65), 2),
        ("length", "M", 0.2, 1),
        ("difficulty", "1", 0.2, 1),
        ("difficulty", "5", 0.4, 1),
    ]
    assert all(each["is_small"] for each in found)


async def test_panels_are_averaged_by_criterion_and_their_judges_held_against_each_other(
    desk: Desk,
) -> None:
    run = await desk.make_run([[(None,)], [(None,)], [(None,)]], PANEL)
    said = [((0.2, 0.4), (0.2, 0.6)), ((0.8, 1.0), (0.6, 1.0)), ((0.4, 0.0), (0.6, 0.2))]
    for case, (one, other) in enumerate(said):
        await desk.add_panel_score(run, case, 0, dict(zip(JUDGES, (one, other), strict=True)))
    found = await desk.read(f"{run.id}/summary")
    (variant,) = found["variants"]
    tone, facts = variant["criteria"]
    assert [each["name"] for each in found["criteria"]] == ["Tone", "Facts"]
    assert tone["mean"]["value"] == pytest.approx((0.2 + 0.7 + 0.5) / 3)
    assert facts["mean"]["value"] == pytest.approx((0.5 + 1.0 + 0.1) / 3)
    composite = 0.75 * (1.4 / 3) + 0.25 * (1.6 / 3)
    assert variant["composite"]["value"] == pytest.approx(composite)
    judges = [each["key"] for each in found["raters"] if each["kind"] == "judge"]
    assert judges == [f"s0:{label}" for label in JUDGES]
    alone = {each["rater"]: each["composite"]["value"] for each in variant["raters"]}
    assert alone[judges[0]] == pytest.approx((0.25 + 0.85 + 0.3) / 3)
    # Tone, by hand: D_o = 2 * (0 + 0.04 + 0.04) / 6, D_e from all 15 pairs of six values.
    values = [0.2, 0.2, 0.8, 0.6, 0.4, 0.6]
    expected = sum((a - b) ** 2 for a in values for b in values) / 30
    of_tone = found["agreements"][0]
    assert (of_tone["raters"], of_tone["outputs"], of_tone["cases"]) == ("judges", 3, 3)
    assert of_tone["alpha"] == pytest.approx(1 - (2 * 0.08 / 6) / expected)


async def test_human_scores_take_precedence_and_calibrate_judges(desk: Desk) -> None:
    run = await desk.make_run([[(0.5,)], [(0.5,)], [(0.9,)]], ScorerOf(label="Judge"))
    before = await desk.read(f"{run.id}/summary")
    assert (before["calibrations"], before["variants"][0]["human_cases"]) == ([], 0)
    url = f"/api/v1/projects/{desk.project.slug}/outputs/{run.outputs[0, 0]}/scores"
    await desk.reviewer.browser.put(url, json={"question": "rating", "answer": 5})

    found = await desk.read(f"{run.id}/summary")
    (variant,) = found["variants"]
    assert variant["composite"]["value"] == pytest.approx((1.0 + 0.5 + 0.9) / 3)
    assert variant["human_cases"] == 1
    (calibration,) = found["calibrations"]
    assert (calibration["judge"], calibration["outputs"]) == ("s0", 1)
    assert calibration["difference"]["value"] == calibration["bins"][0]["judge_mean"] - 1 == -0.5
    assert [each["people_alone"]["value"] for each in found["human_estimates"]] == [1.0]
    assert [each["kind"] for each in found["raters"]] == ["judge"]

    await desk.reviewer.browser.delete(url)
    again = await desk.read(f"{run.id}/summary")
    assert again == before


async def test_wins_ratings_and_position_bias(desk: Desk) -> None:
    run = await desk.make_run([[(0.5,), (0.5,)] for _ in range(4)], ScorerOf(label="S"))
    await desk.add_comparer(run)
    # b wins twice, a once, and once the answer shown first.
    for case, orders in enumerate([("b", "b"), ("b", "b"), ("a", "a"), ("a", "b")]):
        await desk.compare(run, case, *orders)
    found = await desk.read(f"{run.id}/summary")
    assert found["wins"]["wins"] == [[0, 1], [2, 0]]
    assert found["wins"]["ties"] == [[0, 1], [1, 0]]
    assert [each["value"] for each in found["wins"]["win_rates"]] == [0.375, 0.625]
    assert found["wins"]["consistency"] == 0.75
    first, second = (each["points"] for each in found["ratings"]["ratings"])
    assert first < 1000 < second
    assert first + second == pytest.approx(2000)
    (bias,) = [each for each in found["biases"] if each["kind"] == "position"]
    # Chosen first 5 times of 8, second 3 times.
    assert (bias["judge"], bias["effect"]["value"]) == ("c0", 0.25)
    assert found["comparison_cost_usd"] == "0.000002"


@pytest.mark.parametrize("state", [RunState.EXECUTING, RunState.COMPLETED])
async def test_a_run_without_scores_has_no_verdict(desk: Desk, state: RunState) -> None:
    failed = await desk.make_run([[()], [()]], state=state)
    for output in failed.outputs.values():
        await desk.change_output(output, status="error", text=None, cost_nanos=0)
    found = await desk.read(f"{failed.id}/summary")
    (variant,) = found["variants"]
    assert found["is_final"] is (state is RunState.COMPLETED)
    assert (variant["answers"], variant["failed"], variant["malformed"]) == (2, 2, 0)
    assert variant["composite"] == {"value": None, "interval": None, "cases": 0}
    assert (found["best"], found["comparisons"], found["criteria"]) == (None, [], [])
    assert (found["wins"], found["ratings"]) == (None, None)
    assert (variant["latency_p50_seconds"], variant["is_on_front"]) == (None, False)


async def test_one_case_has_no_interval_and_equal_scores_no_difference(desk: Desk) -> None:
    one = await desk.make_run([[(0.4,), (0.9,)]], ScorerOf(label="S"))
    found = await desk.read(f"{one.id}/summary")
    assert found["variants"][0]["composite"] == {"value": 0.4, "interval": None, "cases": 1}
    assert found["comparisons"][0]["verdict"] == "no_evidence"
    assert found["comparisons"][0]["p_value"] == 1.0

    equal = await desk.make_run([[(0.4,), (0.4,)] for _ in range(20)], ScorerOf(label="S"))
    (same,) = (await desk.read(f"{equal.id}/summary"))["comparisons"]
    assert (same["verdict"], same["unchanged"], same["cases_needed"]) == ("no_evidence", 20, None)


async def test_missing_judges_are_counted_by_why(desk: Desk) -> None:
    cells = [[((None, "judge_failed"),)], [((0.0, "judge_unreadable"),)], [(0.6,)]]
    run = await desk.make_run(cells, ScorerOf(label="Judge"))
    found = await desk.read(f"{run.id}/summary")
    assert [(each["flag"], each["count"]) for each in found["flags"]] == [
        ("judge_failed", 1),
        ("judge_unreadable", 1),
    ]
    (variant,) = found["variants"]
    assert (variant["composite"]["value"], variant["composite"]["cases"]) == (0.6, 1)
    assert (variant["unscored"], variant["outcome_counts"]["unreadable"]) == (2, 2)
