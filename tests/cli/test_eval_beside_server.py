"""`edison eval` and `edison view` while a server runs on the data directory."""

import json
import signal
import time
from pathlib import Path

from edison.cli.server_lock import find_server
from edison.evals.hand_over import list_objections
from edison.evals.read import read_plan
from edison.evals.request import EvalRequest
from edison.settings import load_settings
from tests.support.commands import run, running
from tests.support.patience import PATIENCE_SECONDS


def write(folder: Path, **config: object) -> Path:
    file = folder / "config.json"
    file.write_text(json.dumps({"prompts": ["Say {{word}}"], "tests": [{}], **config}))
    return file


def test_the_server_executes_the_evaluation_and_refuses_code(tmp_path: Path) -> None:
    data = tmp_path / "data"
    settings = load_settings(data_dir=data)
    assert find_server(settings) is None
    with running("--data-dir", data, "--json", "serve", "--port", "0", "--no-open") as server:
        # It announces its address when it is ready.
        until = time.monotonic() + PATIENCE_SECONDS
        while not server.output():
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.02)
        url = json.loads(server.output())["url"]
        assert find_server(settings) == url

        config = write(tmp_path, providers=["sim:sim-small"], tests=[{"vars": {"word": "hi"}}] * 3)
        out = tmp_path / "out.json"
        ran = run("--data-dir", data, "eval", "-c", config, "-o", out, COLUMNS="100")
        assert ran.returncode == 0, ran.stderr
        assert f"The server at {url} executes" in ran.stderr
        found = json.loads(out.read_text())
        assert found["results"]["stats"]["successes"] == 3

        (tmp_path / "shout.py").write_text("def call_api(prompt, options, context): return prompt")
        config = write(tmp_path, providers=["file://shout.py"])
        refused = run("--data-dir", data, "eval", "-c", config, COLUMNS="100")
        assert refused.returncode == 1
        told = " ".join(refused.stderr.split())
        assert f"Edison is running at {url}" in told
        assert "file://shout.py is code" in told

        shown = run("--data-dir", data, "--json", "view", "--no-open")
        run_id = found["edison"]["runs"][0]
        assert json.loads(shown.stdout) == {"url": f"{url}/p/evaluations/runs/{run_id}"}
        server.send_signal(signal.SIGTERM)
        server.wait()
    assert find_server(settings) is None


def test_what_a_server_cannot_execute_is_named(tmp_path: Path) -> None:
    (tmp_path / "shout.py").write_text("")
    hosted = {"id": "openai:chat:m", "config": {"apiBaseUrl": "https://models.example.org/v1"}}
    config = write(
        tmp_path,
        providers=[hosted, "exec:cat", "file://shout.py", "echo"],
        tests=[{"vars": {"word": "hi"}, "assert": [{"type": "python", "value": "True"}]}],
    )
    plan = read_plan(EvalRequest(folder=tmp_path, configs=[config]))
    env = {"OPENAI_API_KEY": "k"}
    found = list_objections(plan, env, {"OPENAI_API_KEY": ("api.openai.com",)})
    assert [each.partition(": ")[2] for each in found] == [
        "Python assertions run only in the command.",
        "exec:cat is code that runs only in the command.",
        "file://shout.py is code that runs only in the command.",
        "EDISON_CREDENTIAL_VARIABLES does not allow the server to send OPENAI_API_KEY to "
        "models.example.org.",
    ]
    allowed = {"OPENAI_API_KEY": ("*.example.org",)}
    assert len(list_objections(plan, env, allowed)) == 3
