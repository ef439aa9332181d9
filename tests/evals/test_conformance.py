"""Whole configurations that were recorded from promptfoo give the same rows, counts and exit codes
on Edison's engine.
"""

import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

from edison.cli.eval_engine import EvalEngine, open_eval_engine
from edison.cli.exit_codes import exit_code
from edison.evals.errors import ConfigError
from edison.evals.evaluations import EvalTerms
from edison.evals.outputs.promptfoo import document_of
from edison.evals.read import read_plan
from edison.evals.request import EvalRequest
from edison.evals.results import EvalResults, RowResult
from edison.evals.selection import TestSelection
from edison.settings import load_settings
from tests.support.promptfoo import NEAR, vectors

# What Edison does not evaluate; the reader names it before anything is spent.
UNSUPPORTED = {
    "row-error-provider": "a provider in a JavaScript file",
    "store-output-as": "a test that needs the answer of an earlier one",
    "conversation-var": "a prompt that needs the answers of earlier tests",
    "max-score": "an assertion that compares answers with each other",
    "select-best-bad": "an assertion that compares answers with each other",
}
# Tested with the command itself: they are about its flags and files.
OF_THE_COMMAND = {"no-config-vars-alias", "err-bad-flag"}
VECTORS = [each for each in vectors("configs") if each["id"] not in OF_THE_COMMAND]


class Judge:
    """A scripted server with OpenAI's chat completions."""

    def __init__(self, replies: Mapping[str, list[Any]]) -> None:
        self._replies = {model: list(each) for model, each in replies.items()}
        self.requests: list[dict[str, Any]] = []

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.requests.append(body)
        replies = self._replies[body["model"]]
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        if isinstance(reply, dict) and "_status" in reply:
            error = {"message": reply["message"], "type": "invalid_request_error"}
            return web.json_response({"error": error}, status=reply["_status"])
        content = reply if isinstance(reply, str) else json.dumps(reply)
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return web.json_response({"id": "1", "object": "chat.completion", "created": 1,
            "model": body["model"], "choices": [choice], "usage": usage})  # fmt: skip

    async def start(self) -> tuple[web.AppRunner, str]:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self.answer)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        return runner, f"{host}:{port}"


def request_of(vector: Mapping[str, Any], folder: Path, env: Mapping[str, str]) -> EvalRequest:
    given = iter(vector["args"])
    lists: dict[str, list[str]] = {}
    for flag in given:
        lists.setdefault(flag, []).append(next(given))
    one = {flag: values[-1] for flag, values in lists.items()}
    failing = one.get("--filter-failing-only")
    return EvalRequest(
        folder=folder,
        configs=[Path(each) for each in lists.get("-c", ())],
        prompts=lists.get("-p", ()),
        providers=lists.get("-r", ()),
        tests=one.get("-t"),
        assertions=one.get("--assertions"),
        model_outputs=one.get("--model-outputs"),
        vars=dict(each.split("=") for each in lists.get("--var", ())),
        env=env,
        provider_filter=one.get("--filter-providers"),
        grader=one.get("--grader"),
        is_cached=False,
        selection=TestSelection(
            first_n=int(one["-n"]) if "-n" in one else None,
            pattern=one.get("--filter-pattern"),
            metadata=dict(each.split("=") for each in lists.get("--filter-metadata", ())),
            failing_only=None if failing is None else folder / failing,
        ),
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def engine(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[EvalEngine]:
    settings = load_settings(data_dir=tmp_path_factory.mktemp("data"))
    variables = {"OPENAI_API_KEY": ("127.0.0.1",)}
    async with open_eval_engine(settings, {}, variables=variables) as opened:
        yield opened


async def evaluated(engine: EvalEngine, wanted: EvalRequest) -> EvalResults:
    plan = read_plan(wanted)
    own = EvalEngine(database=engine.database, vault=engine.vault, env=wanted.env)
    return await own.evaluate(plan, terms=EvalTerms())


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("vector", VECTORS, ids=[each["id"] for each in VECTORS])
async def test_a_configuration_gives_the_recorded_results(
    engine: EvalEngine, vector: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Judge(vector.get("judge", {}))
    runner, address = await judge.start()
    try:
        for name, text in vector["files"].items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text.replace("JUDGE", address))
        env = {name: each.replace("JUDGE", address) for name, each in vector.get("env", {}).items()}
        for name, each in env.items():
            monkeypatch.setenv(name, each)
        await check(engine, vector, request_of(vector, tmp_path, env))
        check_requests(vector, judge)
    finally:
        await runner.cleanup()


async def check(engine: EvalEngine, vector: Mapping[str, Any], wanted: EvalRequest) -> None:
    expected = vector["expect"]
    if vector["id"] in UNSUPPORTED or expected["exit"] == 1:
        with pytest.raises(ConfigError):
            read_plan(wanted)
        return
    if "before" in vector:
        before = await evaluated(engine, EvalRequest(folder=wanted.folder))
        (wanted.folder / vector["before"][-1]).write_text(json.dumps(document_of(before)))
        assert exit_code(before, {}) == expected["exitBefore"]
    results = await evaluated(engine, wanted)
    document = document_of(results)
    stats = document["results"]["stats"]
    assert {name: stats[name] for name in expected["stats"]} == expected["stats"]
    assert exit_code(results, wanted.env) == expected["exit"]
    for row, recorded in zip(results.rows, expected["rows"], strict=True):
        check_row(row, recorded)
    for prompt, recorded in zip(
        document["results"]["prompts"], expected["promptMetrics"], strict=True
    ):
        check_metrics(prompt, recorded)


def check_row(row: RowResult, recorded: Mapping[str, Any]) -> None:
    cell, test = row.cell, row.cell.row.test
    assert row.order == (recorded["testIdx"], recorded["promptIdx"])
    assert cell.row.column.provider.name == recorded["provider"]
    assert dict(cell.vars) == recorded["vars"]
    assert cell.shown() == recorded["prompt"]
    assert test.description == recorded.get("description")
    assert dict(test.metadata) == recorded.get("metadata", {})
    assert (row.status == "passed") == recorded["pass"], row
    assert (row.status == "error") == (recorded.get("failureReason") == "error"), row
    assert row.score == pytest.approx(recorded["score"], abs=NEAR)
    same = recorded["output"] == {"same": "prompt"}
    if row.status != "error":
        assert row.output == (recorded["prompt"] if same else recorded["output"])
    components = recorded.get("components", [])
    assert [(each.type, each.is_passed) for each in row.components] == [
        (each["type"], each["pass"]) for each in components
    ]
    assert [each.score for each in row.components] == pytest.approx(
        [each["score"] for each in components], abs=NEAR
    )
    assert dict(row.named_scores) == pytest.approx(recorded.get("namedScores", {}), abs=NEAR)


def check_metrics(prompt: Mapping[str, Any], recorded: Mapping[str, Any]) -> None:
    metrics = prompt["metrics"]
    found = {
        "label": prompt["label"],
        "provider": prompt["provider"],
        "score": pytest.approx(metrics["score"], abs=NEAR),
        "pass": metrics["testPassCount"],
        "fail": metrics["testFailCount"],
        "error": metrics["testErrorCount"],
        "assertPass": metrics["assertPassCount"],
        "assertFail": metrics["assertFailCount"],
        "namedScores": pytest.approx(metrics["namedScores"], abs=NEAR),
    }
    assert recorded == found


def check_requests(vector: Mapping[str, Any], judge: Judge) -> None:
    recorded = vector["expect"].get("requests")
    if recorded is None or vector["id"] in UNSUPPORTED:
        return
    # Edison has its own prompts for graders.
    names = ["model"] if "--grader" in vector["args"] else ["model", "messages"]
    assert sorted(str([each[name] for name in names]) for each in judge.requests) == sorted(
        str([each[name] for name in names]) for each in recorded
    )
    for each in recorded:
        assert any(each.get("params", {}).items() <= sent.items() for sent in judge.requests)


def test_what_is_not_supported_is_still_in_the_vectors() -> None:
    assert set(UNSUPPORTED) <= {each["id"] for each in VECTORS}
