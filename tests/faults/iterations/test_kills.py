"""All processes are killed in each phase of an iteration. It continues by itself, nothing is made
twice, and waiting for a review survives every restart.
"""

import json
import time
from typing import Any

import pytest

from tests.faults.engine.evidence import find_wrong_money
from tests.faults.engine.installation import Install, Installation
from tests.faults.engine.process import IMPATIENT
from tests.support.empty_databases import Dialect
from tests.support.patience import PATIENCE_SECONDS
from tests.support.thorough import IS_THOROUGH

DIALECTS = ["sqlite", "postgresql"] if IS_THOROUGH else ["sqlite"]
CASES = 6
HELD_OUT = 2
# After each kill, the others wait until the heartbeats of the dead processes expire.
EVERY_PHASE = ("pending", "executing", "judging", "refining", "trying", "reviewing")
PHASES = EVERY_PHASE if IS_THOROUGH else ("judging", "refining", "trying")
TEXT = "Say in one sentence where it is, and how sure you are of it.\n\nThe thing:\n{{thing}}\n"
CRITERIA = [
    {"name": "Tone", "description": "Is friendly and polite.", "weight": 0.6, "scale": "0-5"},
    {"name": "Facts", "description": "Says nothing wrong.", "weight": 0.4, "scale": "0-5"},
]
VERDICT = json.dumps(
    {
        "rationales": {each["name"]: "It is middling." for each in CRITERIA},
        "scores": {each["name"]: 2 for each in CRITERIA},
    }
)


class Experimenter:
    """A user with an experiment on an installation that is killed repeatedly."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.kills = 0
        model_ids = [variant["model_id"] for variant in installation.variants]
        cases = [
            {"inputs": {"thing": f"thing {at}"}, "split": "holdout" if at < HELD_OUT else "train"}
            for at in range(CASES)
        ]
        made = self.ask("POST", "/experiments", name="Find things")
        self.path = f"/experiments/{made['id']}"
        draft = {
            "objective": {"goal": "Say where things are, as kindly as possible."},
            "rubric": {"criteria": CRITERIA},
            "prompt": {"name": "Where", "text": TEXT},
            "data": {"cases": cases},
            "models": {"models": [{"model_id": model_ids[0], "parameters": {"max_tokens": 50}}]},
            "judges": {"judges": [model_ids[1]], "safety": {"pii": False, "jailbreak": False}},
            "limits": {"candidates": 1},
        }
        self.ask("PUT", f"{self.path}/draft", draft_version=1, step="limits", draft=draft)
        self.ask("POST", f"{self.path}/confirm")

    def ask(self, method: str, path: str, **body: Any) -> Any:
        return self.installation.ask(method, f"/projects/engine{path}", **body)

    def iterations(self) -> list[dict[str, Any]]:
        return list(self.ask("GET", f"{self.path}/iterations")["items"])

    def until(self, *states: str) -> dict[str, Any]:
        """The latest iteration, once it is in this state or a later one."""
        wanted = set(states) | {"reviewing", "completed", "failed"}
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (found := self.iterations()[0])["state"] not in wanted:
            assert time.monotonic() < deadline, (found, self.installation.log[-3000:])
            time.sleep(0.02)
        return found

    def kill_all(self) -> None:
        self.kills += 1
        for start in [self.installation.kill(each) for each in self.installation.processes]:
            start()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_iteration_survives_a_kill_in_each_phase(dialect: Dialect, install: Install) -> None:
    installation = install(dialect, pace=IMPATIENT, workers=1)
    installation.provider.turn(least_seconds=0.1, most_seconds=0.3, verdict=VERDICT)
    person = Experimenter(installation)
    person.ask("POST", f"{person.path}/iterations", version_id=None)
    reached = []
    for phase in PHASES:
        reached.append(person.until(phase)["state"])
        person.kill_all()
    ended = person.until("reviewing")
    assert ended["state"] == "reviewing"
    assert len(person.iterations()) == 1
    metrics = ended["metrics"]
    assert (metrics["answers"], metrics["failed"]) == (CASES, 0)
    assert (metrics["train"]["cases"], metrics["holdout"]["cases"]) == (CASES - HELD_OUT, HELD_OUT)
    # The refiner's answers are unreadable; stating the rubric needs no refiner.
    assert [each["origin"] for each in ended["suggestions"]] == ["rubric"]
    assert len(ended["refinement"]["failures"]) == 1
    # It was tried once on the training cases.
    assert ended["suggestions"][0]["trial_difference"] == 0
    run = person.ask("GET", f"/runs/{ended['trial_run_id']}")
    assert (run["state"], run["case_count"]) == ("completed", CASES - HELD_OUT)
    assert len(person.ask("GET", "/runs")["items"]) == 3
    record = installation.provider.record()
    assert find_wrong_money(installation, record) == []
    asked = [count for question, count in record.received.items() if question.startswith("gpt-a")]
    # A finished answer is never requested again: only interrupted calls are.
    assert max(asked) <= 1 + person.kills + installation.replacements
    # A review weeks later.
    decided = person.ask(
        "POST", f"/suggestions/{ended['suggestions'][0]['id']}/approve", reason=None
    )
    if IS_THOROUGH:
        person.kill_all()
    following = person.until("reviewing", "completed")
    assert following["id"] == decided["next_iteration_id"]
    assert following["number"] == 2
    print(f"{dialect}: killed while {', '.join(reached)}")  # noqa: T201 - a figure
