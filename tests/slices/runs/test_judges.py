"""Judge panels and grader prompts in runs: stored results, and refusals."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from edison.kit import ids
from edison.library.calls.wave import CallWave, WaveCall
from edison.pipeline.generate.call import Parameters
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.runs.fill.scores import digest_of_question
from tests.factories.prompts import make_prompt, make_version
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Received, Reply
from tests.slices.runs.conftest import Desk
from tests.slices.runs.judging import CRITERIA, Bench, open_bench
from tests.support.browser import error_of
from tests.support.patience import PATIENCE_SECONDS

NOT_AN_ID = "Input should be a valid UUID, invalid character: found `x` at 0"


@pytest.fixture
async def bench(desk: Desk) -> Bench:
    return await open_bench(desk)


async def test_verdicts_of_panel_judges_are_stored_and_replayed(bench: Bench) -> None:
    """The model `plain` gives no readable verdict."""
    judges = [str(bench.judge.id), str(bench.plain.id), str(bench.judge.id)]
    run = await bench.desk.run(
        cases={"limit": 1},
        scorers=[{"kind": "judge_panel", "options": {"judges": judges, "criteria": CRITERIA}}],
    )
    (cell,) = await bench.desk.cells(run["id"])
    (score,) = (await bench.desk.get(f"/outputs/{cell['id']}"))["details"]

    assert (score["value"], score["flag"]) == (pytest.approx(2 * 0.65 / 3), "judge_unreadable")
    assert score["judge_text"] == "pointwise-1"
    assert list(score["judges"]) == [judges[0], judges[1], f"{judges[2]}#2"]
    sound, lost, again = score["judges"].values()
    assert [sound["name"], lost["name"], again["name"]] == ["judge", "plain", "judge #2"]
    assert (sound["value"], sound["flag"], sound["problem"]) == (0.65, None, None)
    assert sound["criteria"]["Tone"] == {"value": 0.8, "raw": 4.0, "rationale": "So so."}
    assert (lost["model_id"], lost["value"], lost["flag"]) == (judges[1], 0.0, "judge_unreadable")
    assert lost["raw"].startswith("plain says so.")
    assert again["value"] == 0.65

    response = await bench.desk.post(f"/runs/{run['id']}/replay")
    replay = await bench.desk.finish(response.json()["id"])
    compared = await bench.desk.get(f"/runs/{replay['id']}/replay-comparison")
    assert (compared["is_identical"], compared["scores_compared"]) == (True, 1)


async def test_a_grader_prompt_is_frozen_into_the_run(bench: Bench) -> None:
    desk = bench.desk
    grader = await make_prompt(
        desk.app,
        desk.dataset.project.id,
        name="Strict",
        kind="grader",
        text="Is this a good answer to {{question}}? {{output}}\nSay pass or fail.",
    )

    def reply(received: Received) -> Reply:
        text = received.body["messages"][-1]["content"]
        is_grader = "Say pass or fail." in text
        return openai.completion("PASS" if is_grader and "number 1" in text else "fail\nRude.")

    desk.server.choose = reply
    scorer = {
        "kind": "grader_prompt",
        "options": {
            "prompt_id": str(grader.id),
            "model_id": str(bench.judge.id),
            "form": "pass_fail",
        },
    }
    run = await desk.run(scorers=[scorer])

    assert (run["state"], run["score"]) == ("completed", pytest.approx(1 / 6)), run["message"]
    options = run["scorers"][0]["options"]
    assert options["frozen"]["label"] == "Strict v1"
    assert options["frozen"]["text"].startswith("Is this a good answer")
    cell = (await desk.cells(run["id"]))[0]
    (score,) = (await desk.get(f"/outputs/{cell['id']}"))["details"]
    assert (score["value"], score["rationale"]) == (0.0, "Rude.")
    assert score["judge_text"] == "grader-1 + Strict v1"

    await make_version(desk.app, grader, text="Grade {{output}} otherwise. Say pass or fail.")
    response = await desk.post(f"/runs/{run['id']}/again")
    again = await desk.finish(response.json()["id"])
    assert again["scorers"][0]["options"] == options


async def test_all_problems_of_a_grader_prompt_are_reported_at_once(bench: Bench) -> None:
    desk = bench.desk
    project_id = desk.dataset.project.id
    blind = await make_prompt(
        desk.app, project_id, kind="grader", text="Grade {{topic}} by {{expected}} and {{tone}}."
    )

    def scorer(prompt_id: object, **more: object) -> dict[str, object]:
        options = {"prompt_id": str(prompt_id), "model_id": str(bench.judge.id), **more}
        return {"kind": "grader_prompt", "options": options}

    response = await desk.post(
        "/runs",
        **desk.body(
            scorers=[
                scorer(blind.id),
                scorer(desk.prompt.id),
                scorer(ids.new_id()),
                scorer(blind.id, version_id=str(ids.new_id())),
                {"kind": "grader_prompt", "options": {"prompt_id": "x"}},
            ]
        ),
    )
    assert response.status_code == 400
    found = [(each["field"], each["message"]) for each in error_of(response)["details"]]
    blind_field = "scorers.0.options.prompt_id"
    sees = "The grader prompt does not use {{output}}, so it cannot see what it grades."
    assert sorted(found) == sorted(
        [
            (blind_field, sees),
            (blind_field, "The grader prompt uses topic, which no case has a value for."),
            (blind_field, "The grader prompt uses tone, which no case has a value for."),
            (blind_field, "The grader prompt uses expected, but no case has an expected answer."),
            (
                "scorers.1.options.prompt_id",
                "This prompt gives answers. Choose one that grades them.",
            ),
            ("scorers.1.options.prompt_id", sees),
            ("scorers.2.options.prompt_id", "There is no such prompt in this project."),
            ("scorers.3.options.version_id", f"{blind.name} has no such version."),
            ("scorers.4.options.prompt_id", NOT_AN_ID),
            ("scorers.4.options.model_id", "This field is required."),
        ]
    )


def test_the_digest_of_a_question_never_changes() -> None:
    """Replays find the judges' answers of earlier runs by it."""
    prompt = RenderedPrompt(
        system='Say "é"\n\x7f', messages=(Message(role="user", text="plain\t\\ \U0001f600"),)
    )
    parameters = Parameters(temperature=0.3, seed=42, max_tokens=4000)
    digest = digest_of_question(UUID(int=7), prompt, parameters)
    assert digest == "d33d2358293e4886f5ad56b94942ec0f43937a3426cbdee19a17ad729cac08d0"


async def test_calls_of_judges_are_prepared_while_others_are_under_way(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[WaveCall] = []
    prepare = CallWave.prepare

    async def noting(self: CallWave, *arguments: Any) -> WaveCall:
        call = await prepare(self, *arguments)
        if call.question.call.model == "judge":
            prepared.append(call)
        return call

    monkeypatch.setattr(CallWave, "prepare", noting)
    desk, slots = bench.desk, 8
    desk.server.hold(lambda received: received.body["model"] == "judge")
    options = {"model_id": str(bench.judge.id), "criteria": CRITERIA}
    run = await desk.start(repeats=5, scorers=[{"kind": "judge", "options": options}])
    await desk.until_it(run["id"], lambda run: run["done_count"] == 30)
    await desk.until_asked(30 + slots)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(prepared) < 2 * slots:  # noqa: ASYNC110 - nothing tells when
            await asyncio.sleep(0.05)
    assert (len(desk.server.received), len(prepared)) == (30 + slots, 2 * slots)
    desk.server.release()
    assert (await desk.finish(run["id"]))["score_count"] == 30
