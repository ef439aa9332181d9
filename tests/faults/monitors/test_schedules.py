"""Monitors on real processes: killed in each phase of a check, and due all at once on several
workers.
"""

import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.faults.engine.evidence import find_wrong_money
from tests.faults.engine.installation import Install, Installation
from tests.faults.engine.process import IMPATIENT
from tests.support.empty_databases import Dialect
from tests.support.patience import PATIENCE_SECONDS
from tests.support.thorough import IS_THOROUGH, rounds

DIALECTS = ["sqlite", "postgresql"] if IS_THOROUGH else ["sqlite"]
EVERY_PHASE = ("due", "running", "measuring", "confirming", "done")
PHASES = EVERY_PHASE if IS_THOROUGH else ("running", "confirming")
CASES = 20
MONITORS = rounds(6, thorough=200)
WORKERS = 4
OVER = ("done", "skipped", "failed", "cancelled")
LOOK_SECONDS = 0.1


class Watcher:
    """A user with a prompt in production and monitors of it."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.prompt_id = installation.variants[0]["prompt_id"]
        self.dataset_id = self.ask("POST", "/datasets", name="Things")["id"]
        for number in range(CASES):
            self.ask("POST", f"/datasets/{self.dataset_id}/cases", inputs={"thing": f"t{number}"})
        self.release("Where is {{thing}}?")

    def ask(self, method: str, path: str, **body: Any) -> Any:
        return self.installation.ask(method, f"/projects/engine{path}", **body)

    def release(self, text: str) -> None:
        """Puts this text into production."""
        path = f"/prompts/{self.prompt_id}"
        version = self.ask("GET", path)["draft"]["version"]
        saved = self.ask("PUT", f"{path}/draft", version=version, text=text)
        made = self.ask(
            "POST", f"{path}/versions", version=saved["version"], changelog="Another wording."
        )
        self.ask("PUT", f"{path}/production", version_id=made["id"])

    def add(self, name: str, **changes: Any) -> str:
        body = {
            "name": name,
            "prompt_id": self.prompt_id,
            "dataset_id": self.dataset_id,
            "models": [
                {
                    "model_id": self.installation.variants[0]["model_id"],
                    "parameters": {"max_tokens": 50},
                }
            ],
            "scorers": [{"kind": "contains", "options": {"phrases": ["Where is"]}}],
            "cron": "0 * * * *",
            "rules": {"latency": {"is_on": False}},
            **changes,
        }
        return str(self.ask("POST", "/monitors", **body)["id"])

    def checks(self, monitor_id: str) -> list[dict[str, Any]]:
        return list(self.ask("GET", f"/monitors/{monitor_id}/checks")["items"])

    def until(self, look: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := look()):
            assert time.monotonic() < deadline, self.installation.log[-3000:]
            time.sleep(LOOK_SECONDS)
        return found

    def kill_all(self) -> None:
        for start in [self.installation.kill(each) for each in self.installation.processes]:
            start()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_bad_release_is_caught_once_whenever_processes_die(
    dialect: Dialect, install: Install
) -> None:
    installation = install(dialect, pace=IMPATIENT, workers=1)
    person = Watcher(installation)
    # Not due during the test.
    monitor_id = person.add("Things", cron="0 0 29 2 *")
    person.ask("POST", f"/monitors/{monitor_id}/run")
    person.until(lambda: person.checks(monitor_id)[0]["state"] in OVER)
    installation.provider.turn(least_seconds=0.1, most_seconds=0.3)
    person.release("Locate {{thing}}.")
    person.ask("POST", f"/monitors/{monitor_id}/run")
    reached = []
    for phase in PHASES:
        wanted = set(EVERY_PHASE[EVERY_PHASE.index(phase) :]) | {*OVER}
        state = person.until(
            lambda: (found := person.checks(monitor_id)[0]["state"]) in wanted and found  # noqa: B023 - at once
        )
        reached.append(state)
        person.kill_all()
    person.until(lambda: person.checks(monitor_id)[0]["state"] in OVER)
    checks = person.checks(monitor_id)
    assert [(each["state"], each["verdict"]) for each in checks] == [
        ("done", "lower"),
        ("done", "good"),
    ]
    assert (checks[0]["score"], checks[1]["score"]) == (0.0, 1.0)
    alerts = person.ask("GET", "/alerts")["items"]
    assert [(each["rule"], each["reopened_count"]) for each in alerts] == [("drop", 0)]
    told = installation.ask("GET", "/notifications")["items"]
    assert [each["kind"] for each in told] == ["alert_opened"]
    runs = person.ask("GET", "/runs")["items"]
    assert len(runs) == 3
    assert find_wrong_money(installation, installation.provider.record()) == []
    print(f"{dialect}: killed while {', '.join(reached)}")  # noqa: T201 - a figure


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_many_monitors_are_due_at_once_on_several_workers(
    dialect: Dialect, install: Install, tmp_path: Path
) -> None:
    clock = tmp_path / "clock"
    clock.write_text("0")
    installation = install(dialect, workers=WORKERS, clock_file=clock)
    person = Watcher(installation)
    rules = {"drop": {"kind": "off"}, "latency": {"is_on": False}}
    # Far enough ahead that the time is not reached while monitors are added.
    due = (datetime.now(UTC) + timedelta(hours=3)).replace(second=0, microsecond=0)
    ids = [
        person.add(
            f"Things {number}",
            cron=f"{due.minute} {due.hour} * * *",
            cases={"limit": 1},
            rules=rules,
        )
        for number in range(MONITORS)
    ]
    clock.write_text(str((due - datetime.now(UTC)).total_seconds() + 2))
    # Each wait is for one more call: on a busy machine all of them take minutes.
    for count in range(1, MONITORS + 1):
        person.until(lambda: installation.provider.record().calls >= count)  # noqa: B023 - at once
    for monitor_id in ids:
        person.until(lambda: [each for each in person.checks(monitor_id) if each["state"] in OVER])  # noqa: B023 - at once
    checks = [check for monitor_id in ids for check in person.checks(monitor_id)]
    assert Counter(check["state"] for check in checks) == {"done": MONITORS}
    assert {check["scheduled_for"] for check in checks} == {due.isoformat().replace("+00:00", "Z")}
    assert installation.provider.record().calls == MONITORS
