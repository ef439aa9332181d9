"""`edison eval` that is interrupted, killed, stopped by its cost limit, and goes on: no answer is
paid twice.
"""

import json
import signal
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.commands import Ended, run, running
from tests.support.patience import PATIENCE_SECONDS

LETTERS = "abcdef"
DEFAULT_CALLS = 2


class Counting:
    """A server with OpenAI's chat completions that counts the prompts. It answers `open_after`
    prompts at once and the others when `may_answer` is set; `refused` prompts fail.
    """

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.open_after = 0
        self.may_answer = threading.Event()
        self.refused: set[str] = set()
        outer, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                prompt = body["messages"][-1]["content"]
                with lock:
                    outer.asked[prompt] += 1
                    is_open = outer.asked.total() <= outer.open_after
                if not is_open:
                    outer.may_answer.wait(PATIENCE_SECONDS)
                is_refused = prompt in outer.refused
                message = {"role": "assistant", "content": f"answer to {prompt}"}
                found = {"error": {"message": "No."}} if is_refused else {
                    "id": "1", "object": "chat.completion", "created": 1, "model": "m",
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
                }  # fmt: skip
                content = json.dumps(found).encode()
                try:
                    self.send_response(400 if is_refused else 200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                except OSError:
                    """The command was killed."""

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"


@pytest.fixture
def provider() -> Iterator[Counting]:
    made = Counting()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.may_answer.set()
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def folder(tmp_path: Path, provider: Counting) -> Path:
    tests = [{"vars": {"letter": each}} for each in LETTERS]
    config = {
        "description": "letters",
        "prompts": ["{{letter}}"],
        "providers": [
            {"id": "openai:chat:m", "config": {"apiBaseUrl": provider.url, "apiKey": "k"}}
        ],
        "defaultTest": {"assert": [{"type": "contains", "value": "answer to {{letter}}"}]},
        "tests": tests,
    }
    (tmp_path / "promptfooconfig.yaml").write_text(json.dumps(config))
    return tmp_path


def arguments(folder: Path, *flags: object) -> list[object]:
    config = folder / "promptfooconfig.yaml"
    given = ["--data-dir", folder / "data", "eval", "-c", config, "-j", DEFAULT_CALLS]
    return [*given, "-o", folder / "out.json", *flags]


def evaluate(folder: Path, *flags: object) -> Ended:
    return run(*arguments(folder, *flags), COLUMNS="100")


def stats(folder: Path) -> tuple[int, int, int]:
    found = json.loads((folder / "out.json").read_text())["results"]["stats"]
    return found["successes"], found["failures"], found["errors"]


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def query(folder: Path, sql: str) -> list[tuple[object, ...]]:
    try:
        with sqlite3.connect(f"file:{folder}/data/edison.db?mode=ro", uri=True) as database:
            return database.execute(sql).fetchall()
    except sqlite3.OperationalError:
        return []


def test_after_ctrl_c_each_prompt_was_asked_once_and_errors_are_retried(
    folder: Path, provider: Counting
) -> None:
    provider.open_after = 2
    provider.refused = {"f"}
    with running(*arguments(folder), COLUMNS="100") as command:
        wait_until(lambda: provider.asked.total() == 2 + DEFAULT_CALLS)
        command.send_signal(signal.SIGINT)
        wait_until(lambda: query(folder, "SELECT state FROM runs") == [("paused",)])
        provider.may_answer.set()
        paused = command.wait()
    assert paused.returncode == 130, paused.stderr
    assert "Paused after 4 of 6 answers. Resume with:" in paused.stderr
    assert paused.stderr.strip().endswith("--resume")
    assert not (folder / "out.json").exists()

    resumed = evaluate(folder, "--resume")
    assert (resumed.returncode, stats(folder)) == (100, (5, 0, 1)), resumed.stderr
    assert provider.asked == Counter(LETTERS)
    assert "5 passed (83.3 %) · 1 error ·" in resumed.stdout
    assert "Ask again what failed: edison " in resumed.stdout

    provider.refused = set()
    retried = evaluate(folder, "--retry-errors")
    assert (retried.returncode, stats(folder)) == (0, (6, 0, 0)), retried.stderr
    assert provider.asked == Counter(LETTERS + "f")


def test_after_a_kill_only_the_calls_in_flight_are_asked_again(
    folder: Path, provider: Counting
) -> None:
    provider.open_after = 2
    with running(*arguments(folder), COLUMNS="100") as command:
        wait_until(lambda: query(folder, "SELECT count(*) FROM outputs") == [(2,)])
        wait_until(lambda: provider.asked.total() == 2 + DEFAULT_CALLS)
        command.send_signal(signal.SIGKILL)
        assert command.wait().returncode == -signal.SIGKILL
    (stored,) = zip(*query(folder, "SELECT text FROM outputs"), strict=True)
    in_flight = Counter(provider.asked.keys()) - Counter(str(each)[-1] for each in stored)
    provider.may_answer.set()

    (evaluation,) = query(folder, "SELECT id FROM evaluations")
    resumed = evaluate(folder, "--resume", evaluation[0])
    assert (resumed.returncode, stats(folder)) == (0, (6, 0, 0)), resumed.stderr
    assert provider.asked == Counter(LETTERS) + in_flight

    changed = evaluate(folder, "--resume", evaluation[0], "--repeat", "2")
    assert changed.returncode == 1
    assert "The configuration is not that of evaluation" in " ".join(changed.stderr.split())


def test_a_cost_limit_stops_the_evaluation_which_goes_on_with_a_higher_one(tmp_path: Path) -> None:
    tests = [{"vars": {"n": each}} for each in range(40)]
    provider = {"id": "sim:sim-small", "config": {"max_tokens": 50}}
    config = {"prompts": ["Count to {{n}}"], "providers": [provider], "tests": tests}
    (tmp_path / "promptfooconfig.yaml").write_text(json.dumps(config))
    stopped = evaluate(tmp_path, "--max-cost", "0.0002", "--tag", "branch=main")
    assert stopped.returncode == 4, stopped.stderr
    assert "Stopped." in stopped.stderr
    found = json.loads((tmp_path / "out.json").read_text())["edison"]
    assert 0 < found["answered"] < 40
    assert 0 < found["costUsd"] <= 0.0002
    assert found["tags"] == {"branch": "main"}

    finished = evaluate(tmp_path, "--resume", "--max-cost", "1")
    assert (finished.returncode, stats(tmp_path)) == (0, (40, 0, 0)), finished.stderr
    again = json.loads((tmp_path / "out.json").read_text())["edison"]
    assert (again["answered"], again["evaluation"]) == (40, found["evaluation"])

    nothing = evaluate(tmp_path, "--max-cost", "0", "--no-cache")
    assert nothing.returncode == 4, nothing.stderr
    assert "Nothing more was asked." in nothing.stderr
