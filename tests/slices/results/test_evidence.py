"""Verdicts in results: none before a run is complete, none where too much is missing, and none
without a difference.
"""

from uuid import UUID

import pytest
from sqlalchemy import select

from edison.kit import clock, ids
from edison.kit.errors import Conflict
from edison.runs.read import service as runs
from edison.runs.scoring.models import AnnotationItem, AnnotationQueue, AnnotationSeat, HumanScore
from edison.runs.scoring.states import SampleStrategy
from edison.runs.store.models import Run, Score
from edison.runs.store.states import RunState
from tests.factories.scoring import MadeRun, ScorerOf
from tests.slices.results.conftest import Desk

S = ScorerOf(label="S")
BETTER = [[(0.5,), (0.6 + at / 200,)] for at in range(70)]


@pytest.mark.parametrize(
    "state", [RunState.EXECUTING, RunState.PAUSED, RunState.CANCELLED, RunState.FAILED]
)
async def test_a_run_that_is_not_complete_has_no_verdict(desk: Desk, state: RunState) -> None:
    run = await desk.make_run(BETTER, S, state=state)
    found = await desk.read(f"{run.id}/summary")
    (comparison,) = found["comparisons"]
    assert (found["is_complete"], found["best"]) == (False, None)
    assert (comparison["verdict"], comparison["test"]) == ("so_far", "confidence_sequence")
    assert (comparison["p_value"], comparison["adjusted_p_value"]) == (None, None)
    assert comparison["difference"]["interval"]["low"] > 0
    assert comparison["equivalence"] is None


async def test_the_same_run_has_a_verdict_once_it_is_complete(desk: Desk) -> None:
    run = await desk.make_run(BETTER, S)
    found = await desk.read(f"{run.id}/summary")
    (comparison,) = found["comparisons"]
    assert (found["is_complete"], found["best"]) == (True, 1)
    assert (comparison["verdict"], comparison["test"]) == ("better", "bootstrap_t")
    assert "a break in up to 4 % of cases could have gone unseen" in comparison["caveat"]
    assert comparison["equivalence"]["other_is_as_good"] is True
    assert comparison["equivalence"]["baseline_is_as_good"] is False


async def test_runs_are_compared_with_verdicts_only_when_both_are_complete(desk: Desk) -> None:
    before = await desk.make_run([[(0.5,)] for _ in range(8)], S)
    after = await desk.make_run([[(0.7,)] for _ in range(8)], S, state=RunState.EXECUTING)
    found = await desk.read(f"{before.id}/compare/{after.id}")
    assert [each["verdict"] for each in found["comparisons"]] == ["so_far"]


async def test_unreadable_scores_are_missing_and_counted(desk: Desk) -> None:
    """Three of 40 are more than 5 %."""
    cells = [[(0.5,), (0.6 + at / 200,)] for at in range(37)]
    cells += [[(0.5,), ((0.0, "judge_unreadable"),)] for _ in range(2)]
    cells += [[(0.5,), ((None, "judge_failed"),)]]
    run = await desk.make_run(cells, S)
    found = await desk.read(f"{run.id}/summary")
    _, second = found["variants"]
    assert second["composite"]["cases"] == 37
    assert second["unscored"] == 3
    assert second["outcome_counts"] == {
        "answered": 40,
        "failed": 0,
        "malformed": 0,
        "cut_off": 0,
        "unreadable": 3,
    }
    (comparison,) = found["comparisons"]
    assert comparison["verdict"] == "cannot_tell"
    assert comparison["other_left_out"] == {"failed": 0, "unreadable": 3}
    assert (comparison["difference"]["interval"], comparison["p_value"]) == (None, None)


@pytest.mark.parametrize("counts_zero", [False, True])
async def test_failed_answers_are_missing_unless_the_run_counts_them_zero(
    desk: Desk, counts_zero: bool
) -> None:
    cells = [[(0.8,), (0.8,)], [(0.8,), ()], [(0.8,), (0.8,)], [(0.8,), (0.8,)]]
    run = await desk.make_run(cells, S, failed_count_zero=counts_zero)
    await desk.change_output(run.outputs[1, 1], status="error", text=None)
    await desk.change_output(run.outputs[2, 1], finish_reason="length")
    found = await desk.read(f"{run.id}/summary")
    _, second = found["variants"]
    assert found["failed_count_zero"] is counts_zero
    assert second["composite"]["value"] == pytest.approx(0.6 if counts_zero else 0.8)
    assert second["composite"]["cases"] == (4 if counts_zero else 3)
    assert (second["outcome_counts"]["failed"], second["outcome_counts"]["cut_off"]) == (1, 1)
    (comparison,) = found["comparisons"]
    assert comparison["verdict"] == ("no_evidence" if counts_zero else "cannot_tell")
    assert comparison["other_left_out"]["failed"] == (0 if counts_zero else 1)


async def test_variants_that_score_zero_are_not_recommended(desk: Desk) -> None:
    nothing = await desk.make_run([[(0.0,), (0.0,)] for _ in range(20)], S)
    found = await desk.read(f"{nothing.id}/summary")
    assert found["best"] is None
    assert [each["is_on_front"] for each in found["variants"]] == [False, False]


@pytest.mark.parametrize("strategy", [SampleStrategy.RANDOM, SampleStrategy.DISAGREEMENT])
async def test_only_random_queues_give_estimates_for_unscored_cases(
    desk: Desk, strategy: SampleStrategy
) -> None:
    run = await desk.make_run([[(0.4 + at / 200,)] for at in range(60)], S)
    await _score_in_queue(desk, run, strategy, count=25)
    (estimate,) = (await desk.read(f"{run.id}/summary"))["human_estimates"]
    if strategy is SampleStrategy.RANDOM:
        assert (estimate["random_cases"], estimate["obstacle"]) == (25, None)
        assert estimate["composite"]["value"] is not None
    else:
        assert (estimate["random_cases"], estimate["composite"]["value"]) == (0, None)
        assert "drawn at random" in estimate["obstacle"]


async def _score_in_queue(
    desk: Desk, run: MadeRun, strategy: SampleStrategy, *, count: int
) -> None:
    now, user_id = clock.now(), desk.reviewer.user.id
    queue_id = ids.new_id()
    times = {"created_at": now, "updated_at": now}
    await desk.add(
        AnnotationQueue(
            id=queue_id,
            project_id=desk.project.id,
            name="Q",
            question="rating",
            strategy=strategy,
            seed=1,
            overlap=1,
            state="open",
            **times,
        )
    )
    for at in range(count):
        item_id = ids.new_id()
        output_id: UUID = run.outputs[at, 0]
        await desk.add(
            AnnotationItem(id=item_id, queue_id=queue_id, output_id=output_id, position=at)
        )
        await desk.add(
            AnnotationSeat(
                id=ids.new_id(), item_id=item_id, number=0, user_id=user_id, is_scored=True
            ),
            HumanScore(
                id=ids.new_id(),
                output_id=output_id,
                user_id=user_id,
                question="rating",
                value=0.5 + at / 100,
                **times,
            ),
        )


async def test_a_retry_asks_again_for_unreadable_scores_and_no_others(desk: Desk) -> None:
    cells = [[(0.5,)], [((0.0, "judge_unreadable"),)], [((None, "no_expected"),)]]
    run = await desk.make_run(cells, S)
    database = desk.app.state.database
    async with database.write() as session:
        again = await runs.retry_run(session, project_id=desk.project.id, run_id=run.id)
    assert again.state == RunState.EXECUTING
    async with database.read() as session:
        left = await session.execute(
            select(Score.flag, Run.cache_mode).join(Run).where(Run.id == run.id)
        )
        # Past the cache: the cached first verdict is unreadable too.
        assert sorted(left, key=str) == [("no_expected", "bypass"), (None, "bypass")]
    async with database.write() as session:
        with pytest.raises(Conflict):
            await runs.retry_run(session, project_id=desk.project.id, run_id=run.id)
