"""All processes are killed while an A/B test runs. It continues, and nothing is repeated."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.faults.engine.evidence import find_wrong_money
from tests.faults.engine.installation import Install, Installation
from tests.faults.engine.process import IMPATIENT
from tests.support.empty_databases import Dialect
from tests.support.patience import PATIENCE_SECONDS
from tests.support.thorough import IS_THOROUGH, rounds

DIALECTS = ["sqlite", "postgresql"] if IS_THOROUGH else ["sqlite"]
BATCHES = rounds(2, thorough=3)
PAIRS = 10 * BATCHES
LOOK_SECONDS = 0.05


class Analyst:
    """A user who compares the first two models of an installation."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.kills = 0
        self.dataset_id = self.ask("POST", "/datasets", name="Things")["id"]
        for number in range(PAIRS):
            self.ask("POST", f"/datasets/{self.dataset_id}/cases", inputs={"thing": f"t{number}"})
        first, second = installation.variants[:2]
        path = f"/prompts/{first['prompt_id']}"
        draft = self.ask("GET", path)["draft"]
        saved = self.ask(
            "PUT", f"{path}/draft", version=draft["version"], text="Where is {{thing}}?"
        )
        made = self.ask(
            "POST", f"{path}/versions", version=saved["version"], changelog="A wording."
        )
        arm = {"prompt_id": first["prompt_id"], "version_id": made["id"]}
        parameters = {"max_tokens": 50}
        created = self.ask(
            "POST",
            "/ab-tests",
            name="Which model",
            first={**arm, "model_id": first["model_id"], "parameters": parameters},
            second={**arm, "model_id": second["model_id"], "parameters": parameters},
            dataset_id=self.dataset_id,
            scorers=[{"kind": "contains", "options": {"phrases": ["Where is"]}}],
            pairs=PAIRS,
        )
        self.path = f"/ab-tests/{created['id']}"

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


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_test_survives_a_kill_in_each_batch(dialect: Dialect, install: Install) -> None:
    installation = install(dialect, pace=IMPATIENT, workers=1)
    installation.provider.turn(least_seconds=0.1, most_seconds=0.3)
    person = Analyst(installation)
    person.ask("POST", f"{person.path}/start")
    for number in range(1, BATCHES + 1):
        person.until(lambda found: len(found["batches"]) >= number)  # noqa: B023 - at once
        person.kill_all()
    ended = person.until(lambda found: found["state"] != "running")
    assert (ended["state"], ended["result"]["pairs"]) == ("complete", PAIRS)
    assert [each["cases"] for each in ended["batches"]] == [10] * BATCHES
    assert len(person.ask("GET", "/runs")["items"]) == BATCHES
    told = installation.ask("GET", "/notifications")["items"]
    assert [each["kind"] for each in told] == ["ab_test_decided"]
    record = installation.provider.record()
    assert find_wrong_money(installation, record) == []
    # A finished answer is never requested again: only interrupted calls are.
    assert max(record.received.values()) <= 1 + person.kills + installation.replacements
