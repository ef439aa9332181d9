"""All processes are killed in each phase of an optimization. It continues by itself, with the same
winner, one look at the held-out cases, and nothing paid for twice.
"""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from edison.runs.store.models import Output
from edison.workspace.budgets.models import LedgerEntry
from tests.faults.engine.evidence import find_wrong_money, read
from tests.faults.engine.installation import Install, Installation
from tests.faults.engine.process import IMPATIENT
from tests.support.empty_databases import Dialect
from tests.support.patience import PATIENCE_SECONDS
from tests.support.thorough import IS_THOROUGH

DIALECTS = ["sqlite", "postgresql"] if IS_THOROUGH else ["sqlite"]
TRAIN, HELD_OUT = 5, 7
LOOK_SECONDS = 0.05
# The model repeats its prompt, so that the stated rubric makes answers contain the word.
CRITERIA = [{"name": "Place", "description": "Names the lighthouse.", "weight": 1, "scale": "0-5"}]
VERDICT = json.dumps({"rationales": {"Place": "Middling."}, "scores": {"Place": 2}})


class Searcher:
    """A user with an optimization on an installation that is killed repeatedly."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.kills = 0
        first, second = installation.variants[:2]
        dataset = self.ask("POST", "/datasets", name="Things")
        for at in range(TRAIN + HELD_OUT):
            split = "train" if at < TRAIN else "holdout"
            path = f"/datasets/{dataset['id']}/cases"
            case = {"inputs": {"thing": f"t{at}"}, "expected": "At the lighthouse."}
            self.ask("POST", path, **case, split=split)
        path = f"/prompts/{first['prompt_id']}"
        draft = self.ask("GET", path)["draft"]
        text = "Say where it is.\n\nThing: {{thing}}"
        saved = self.ask("PUT", f"{path}/draft", version=draft["version"], text=text)
        self.ask("POST", f"{path}/versions", version=saved["version"], changelog="A wording.")
        options = {"judges": [second["model_id"]], "goal": "Say it.", "criteria": CRITERIA}
        created = self.ask(
            "POST",
            "/optimizations",
            name="Find things",
            prompt_id=first["prompt_id"],
            dataset_id=dataset["id"],
            models=[{"model_id": first["model_id"], "parameters": {"max_tokens": 50}}],
            scorers=[
                {"kind": "contains", "options": {"phrases": ["lighthouse"]}},
                {"kind": "judge_panel", "options": options, "weight": 0.1},
            ],
            strategy={"kind": "few_shot", "options": {"candidates": 2, "examples": 1}},
            generations=1,
            budget_usd="500",
            seed=1,
        )
        self.path = f"/optimizations/{created['id']}"

    def ask(self, method: str, path: str, **body: Any) -> Any:
        return self.installation.ask(method, f"/projects/engine{path}", **body)

    def until(self, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not is_so(found := self.ask("GET", self.path)):
            assert time.monotonic() < deadline, (found, self.installation.log[-3000:])
            time.sleep(LOOK_SECONDS)
        return dict(found)

    def kill_all(self) -> None:
        self.kills += 1
        for start in [self.installation.kill(each) for each in self.installation.processes]:
            start()


Phase = Callable[[dict[str, Any]], bool]
STEPS: list[Phase] = [
    lambda found: len(found["rounds"]) >= 1,
    lambda found: found["rounds"][0]["ended_at"] is not None,
    lambda found: len(found["candidate_list"]) > 2,
    lambda found: len(found["rounds"]) >= 2,
    lambda found: found["rounds"][1]["ended_at"] is not None,
    lambda found: found["stop_reason"] is not None,
    lambda found: len(found["rounds"]) >= 3,
]
PHASES = STEPS if IS_THOROUGH else [STEPS[0], STEPS[2], STEPS[6]]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_optimization_survives_a_kill_in_each_phase(dialect: Dialect, install: Install) -> None:
    installation = install(dialect, pace=IMPATIENT, workers=1)
    installation.provider.turn(least_seconds=0.1, most_seconds=0.3, verdict=VERDICT)
    person = Searcher(installation)
    person.ask("POST", f"{person.path}/start")
    for phase in PHASES:
        person.until(phase)
        person.kill_all()
    ended = person.until(lambda found: found["state"] not in ("running", "paused"))
    assert (ended["state"], ended["outcome"], ended["finalist"]) == ("completed", "promoted", 1)
    assert ended["stop_reason"] == "generations"
    origins = [(each["origin"], each["cases"]) for each in ended["candidate_list"]]
    assert origins == [("base", TRAIN), ("rubric", TRAIN), *2 * [("strategy", TRAIN)]]
    assert (ended["gate"]["look"], ended["gate"]["cases"]) == (1, HELD_OUT)
    assert [each["kind"] for each in ended["rounds"]] == ["train", "train", "gate"]
    assert len(person.ask("GET", "/runs")["items"]) == 3
    assert len(person.ask("GET", "/suggestions")["items"]) == 1
    kinds = [each["kind"] for each in installation.ask("GET", "/notifications")["items"]]
    assert kinds == ["optimization_ended"]
    record = installation.provider.record()
    assert find_wrong_money(installation, record) == []
    # A finished answer is never requested again: only interrupted calls are. Candidates that differ
    # in their examples ask the provider the same question, so its counts do not tell.
    outputs, paid = read(
        installation,
        select(Output.id),
        select(LedgerEntry.id).where(
            LedgerEntry.purpose == "answer", LedgerEntry.state == "settled"
        ),
    )
    assert len(paid) == len(outputs)
