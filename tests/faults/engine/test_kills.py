"""Server, workers or all of them are killed repeatedly during a run. The run continues by itself,
finished cells are kept and never requested again, and the ledger is correct.
"""

import random
import time
from dataclasses import dataclass, field

import pytest

from tests.faults.engine.evidence import (
    Snapshot,
    find_incompleteness,
    find_losses,
    find_wrong_money,
    find_wrong_sums,
    ledger_states,
    take_snapshot,
)
from tests.faults.engine.installation import (
    CALLS_PER_CREDENTIAL,
    MODELS,
    Engine,
    Install,
    Installation,
)
from tests.faults.engine.process import IMPATIENT
from tests.faults.engine.provider import JUDGE_REQUEST
from tests.support.empty_databases import Dialect
from tests.support.thorough import IS_THOROUGH, rounds
from tests.support.zygote import Child

KILLS = rounds(3, thorough=50)
CRITERION = {"name": "Tone", "description": "Friendly in tone", "weight": 1, "scale": "0-5"}
VERDICT = '{"rationales": {"Tone": "Kind."}, "scores": {"Tone": 4}}'
WATCHED_KILLS = 10
FAULTY_KILLS = 10
CELLS_PER_KILL = 24
CASES = rounds(40, thorough=100)
# At a kill at most this many calls are in progress, and about as many answers are unwritten.
MOST_UNDER_WAY = 2 * CALLS_PER_CREDENTIAL * len(MODELS)


@dataclass(slots=True)
class Torture:
    installation: Installation
    # Drawn from the generator that each test seeds, so that `make torture` can repeat it.
    luck: random.Random = field(default_factory=lambda: random.Random(random.getrandbits(32)))  # noqa: S311 - dice
    snapshots: list[Snapshot] = field(default_factory=list)
    resumed_after: list[float] = field(default_factory=list)

    def kill_during(self, run_id: str, *, most: int) -> None:
        """Kills at most this often, or until the run is complete."""
        done = 0
        for _ in range(most):
            wanted = done + self.luck.randint(1, CELLS_PER_KILL)
            if not self._wait_for(run_id, wanted):
                return
            time.sleep(self.luck.uniform(0, 0.2))
            done = self._kill_some(run_id)

    def _wait_for(self, run_id: str, count: int) -> bool:
        """Waits until this many cells are done; False when the run has ended."""
        run = self.installation.until(
            run_id, lambda run: run["state"] == "completed" or run["done_count"] >= count
        )
        return bool(run["state"] != "completed")

    def _kill_some(self, run_id: str) -> int:
        """Returns how many cells were done by then."""
        installation = self.installation
        engine = installation.engine
        victims = self._choose(engine)
        # An engine ends with its server.
        dead = [*victims, *([engine] if engine and installation.server in victims else [])]
        starts = [installation.kill(victim) for victim in victims]
        snapshot = take_snapshot(installation, dead_pids=[victim.pid for victim in dead])
        self.snapshots.append(snapshot)
        killed_at = time.monotonic()
        for start in starts:
            start()
        done = int(installation.run(run_id)["done_count"])
        self._wait_for(run_id, done + 1)
        self.resumed_after.append(time.monotonic() - killed_at)
        return done

    def _choose(self, engine: Engine | None) -> list[Child | Engine]:
        processes: list[Child | Engine] = [*self.installation.processes]
        if engine is not None:
            return self.luck.choice([[engine], processes])
        return self.luck.choice([[self.luck.choice(processes)], processes])

    def find_problems(self, run_id: str) -> list[str]:
        installation = self.installation
        run = installation.finish(run_id)
        end = take_snapshot(installation)
        problems = find_losses(self.snapshots, end)
        problems += find_wrong_sums(installation, run_id)
        problems += find_wrong_money(installation, end.record)
        problems += find_incompleteness(run)
        states = ledger_states(installation)
        for entry_id in frozenset().union(*(each.given_up for each in self.snapshots)):
            if states[entry_id] != "unconfirmed":
                problems.append(f"a lost call is {states[entry_id]}")
        for entry_id in frozenset().union(*(each.released for each in self.snapshots)):
            if states[entry_id] != "released":
                problems.append(f"a call that never left is {states[entry_id]}")
        extra = end.record.calls - len(end.finished)
        ends = len(self.snapshots) + installation.replacements
        if extra > MOST_UNDER_WAY * ends:
            problems.append(f"{extra} calls too many")
        return problems


def torture(
    installation: Installation, *, kills: int, is_watched: bool = False, failing: float = 0
) -> tuple[Torture, list[str]]:
    """Run after run, until there were enough kills. `failing` is the share of calls that fail."""
    installation.provider.turn(least_seconds=0.02, most_seconds=0.2, failing=failing)
    installation.add_budget("100")
    torture, problems = Torture(installation), list[str]()
    while len(torture.snapshots) < kills and not problems:
        start = installation.start_watched_run if is_watched else installation.start_run
        run_id = start(cases=CASES, prefix=f"{len(torture.snapshots)}/")
        torture.kill_during(run_id, most=kills - len(torture.snapshots))
        problems = torture.find_problems(run_id)
    return torture, problems


@pytest.mark.everyday
@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_run_survives_any_number_of_kills(dialect: Dialect, install: Install) -> None:
    tortured, problems = torture(install(dialect, pace=IMPATIENT), kills=KILLS)

    assert problems == []
    assert len(tortured.snapshots) == KILLS
    # A few kills may all miss the moments with calls in progress.
    assert not IS_THOROUGH or any(snapshot.given_up for snapshot in tortured.snapshots)
    seconds = sorted(tortured.resumed_after)
    print(f"{dialect}: went on {seconds[0]:.1f} to {seconds[-1]:.1f} s after kill -9")  # noqa: T201 - a figure


@pytest.mark.skipif(not IS_THOROUGH, reason="takes as long as the test before it")
@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_streamed_run_survives_kills(dialect: Dialect, install: Install) -> None:
    """A stream that is cut off is charged and requested again."""
    tortured, problems = torture(
        install(dialect, pace=IMPATIENT), kills=WATCHED_KILLS, is_watched=True
    )

    assert problems == []
    assert any(snapshot.given_up for snapshot in tortured.snapshots)


@pytest.mark.parametrize("is_watched", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_run_survives_kills_while_its_provider_fails(
    dialect: Dialect, is_watched: bool, install: Install
) -> None:
    """Failed calls are retried, and kills may interrupt the retries."""
    _, problems = torture(
        install(dialect, pace=IMPATIENT), kills=FAULTY_KILLS, is_watched=is_watched, failing=0.15
    )

    # The number of retries depends on the provider here.
    assert [problem for problem in problems if "calls too many" not in problem] == []


def test_calls_sent_before_their_reservation_is_committed_are_detected(install: Install) -> None:
    """The mutant's batch writer acknowledges a write before it is committed."""
    installation = install("sqlite", pace=IMPATIENT, twin="acknowledges_before_commit")
    _, problems = torture(installation, kills=2)

    assert [problem for problem in problems if "in the ledger" in problem]


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_scoring_a_run_afterwards_survives_a_kill(dialect: Dialect, install: Install) -> None:
    """Answers stay as they are, and every missing score is added once."""
    installation = install(dialect, pace=IMPATIENT)
    installation.provider.turn(least_seconds=0.02, most_seconds=0.1, verdict=VERDICT)
    installation.add_budget("100")
    run_id = installation.start_run(cases=12)
    before = installation.finish(run_id)
    answered = take_snapshot(installation)
    judge = {"model_id": installation.variants[0]["model_id"], "criteria": [CRITERION]}
    path = f"/projects/engine/runs/{run_id}/rescore"
    installation.ask("POST", path, scorers=[{"kind": "judge", "options": judge}])
    installation.until(
        run_id, lambda run: run["state"] == "completed" or run["score_count"] > 12 * len(MODELS)
    )
    starts = [installation.kill(victim) for victim in list(installation.processes)]
    for start in starts:
        start()
    run = installation.finish(run_id)

    assert (run["state"], run["score_count"]) == ("completed", 2 * 12 * len(MODELS))
    assert run["done_count"] == before["done_count"]
    end = take_snapshot(installation)
    assert find_losses([answered], end) == []
    assert find_wrong_sums(installation, run_id) == []
    assert find_wrong_money(installation, end.record) == []


def test_judging_questions_survives_a_kill(install: Install) -> None:
    """No question is asked of a model, and every verdict is stored once."""
    installation = install("sqlite", pace=IMPATIENT)
    installation.provider.turn(least_seconds=0.02, most_seconds=0.1, verdict=VERDICT)
    installation.add_budget("100")
    options = {
        "judges": [each["model_id"] for each in installation.variants[:2]],
        "criteria": [CRITERION],
        "judge_text": "question-1",
    }
    run_id = installation.start_run(
        cases=24,
        variants=[{"question_variable": "thing"}],
        scorers=[{"kind": "judge_panel", "options": options}],
    )
    installation.until(run_id, lambda run: run["state"] == "completed" or run["score_count"] >= 3)
    before = take_snapshot(installation)
    for start in [installation.kill(victim) for victim in list(installation.processes)]:
        start()
    run = installation.finish(run_id)

    assert (run["state"], run["done_count"], run["score_count"]) == ("completed", 24, 24)
    end = take_snapshot(installation)
    assert find_losses([before], end) == []
    assert find_wrong_sums(installation, run_id) == []
    assert find_wrong_money(installation, end.record) == []
    assert all(JUDGE_REQUEST in question for question in end.record.received)
    report = installation.ask("GET", f"/projects/engine/runs/{run_id}/questions")
    assert (report["judged"], report["unjudged"]) == (24, 0)
    assert report["score"]["value"] == pytest.approx(0.8)
