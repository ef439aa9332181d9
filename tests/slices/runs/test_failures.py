"""Failed cells, and their effect on others."""

from decimal import Decimal

from tests.factories.models import make_credential, make_model
from tests.factories.prompts import make_prompt
from tests.fake_providers import openai, scripted_server
from tests.slices.runs.conftest import CASES, PRICES, Desk
from tests.slices.runs.judging import CRITERIA

REFUSED = openai.error(401, kind="invalid_request_error", code="invalid_api_key")
TOO_LONG = openai.error(
    400, message="At most 10 tokens, key sk-planted-key.", code="context_length_exceeded"
)


async def other_model(desk: Desk, url: str, name: str = "other") -> str:
    """A model of another credential."""
    credential = await make_credential(
        desk.app, desk.dataset.project.id, "openai_compatible", settings={"base_url": url}
    )
    return str((await make_model(desk.app, credential, name, prices=PRICES)).id)


async def test_a_case_that_fails_does_not_stop_the_others(desk: Desk) -> None:
    desk.server.script(TOO_LONG, openai.completion("Fine."))

    run = await desk.run()

    assert (run["state"], run["done_count"], run["error_count"]) == ("completed", 6, 1)
    errors = [cell for cell in await desk.cells(run["id"]) if cell["status"] == "error"]
    assert [cell["error"] for cell in errors] == ["context_length"]
    said = "context_length_exceeded: At most 10 tokens, key ***."
    assert errors[0]["provider_text"] == said
    detail = await desk.get(f"/outputs/{errors[0]['id']}")
    (credential,) = (await desk.get("/credentials"))["items"]
    assert detail["provider_text"] == said
    assert detail["provenance"]["credential"] == credential["label"]
    assert await desk.get(f"/runs/{run['id']}/failures") == [
        {
            "status": "error",
            "reason": "context_length",
            "count": 1,
            "cut_off_count": 0,
            "model_names": [run["variants"][0]["model_name"]],
            "output_id": errors[0]["id"],
            "message": detail["message"],
            "provider_text": said,
            "credential": credential["label"],
        }
    ]


async def test_a_malformed_answer_says_why_and_that_it_was_cut_off(desk: Desk) -> None:
    prompt = await make_prompt(desk.app, desk.dataset.project.id, text="As JSON: {{question}}")
    desk.server.script(openai.completion('{"city": "Par', finish_reason="length"))

    run = await desk.run(variants=[desk.variant(prompt_id=str(prompt.id))])

    (cause,) = await desk.get(f"/runs/{run['id']}/failures")
    assert (cause["reason"], cause["count"], cause["cut_off_count"]) == ("not_json", 6, 6)
    assert cause["message"] == (
        "The prompt asks for JSON, and the answer is not JSON: "
        "Unterminated string starting at (line 1, column 10)."
    )
    (first, *_) = await desk.cells(run["id"])
    assert (first["status"], first["finish_reason"]) == ("malformed", "length")
    assert (await desk.get(f"/outputs/{first['id']}"))["message"] == cause["message"]


async def test_a_judge_with_a_refused_key_is_not_called_again(desk: Desk) -> None:
    """Eight calls may be in progress before the first refusal."""
    async with scripted_server.running() as other:
        other.script(REFUSED)
        judge = {
            "kind": "judge",
            "options": {"model_id": await other_model(desk, other.url), "criteria": CRITERIA},
        }
        run = await desk.run(variants=[desk.variant()], repeats=5, scorers=[judge])
        asked = len(other.received)

    assert (run["state"], run["done_count"], run["score_count"]) == ("completed", 30, 30)
    assert 1 <= asked <= 8
    for cell in await desk.cells(run["id"]):
        (score,) = (await desk.get(f"/outputs/{cell['id']}"))["details"]
        assert (score["value"], score["flag"]) == (None, "judge_failed")
        assert "refused the judge's key, that of the credential" in score["rationale"]


async def test_a_judge_whose_secret_is_missing_gives_no_value(desk: Desk) -> None:
    credential = await make_credential(
        desk.app,
        desk.dataset.project.id,
        "openai_compatible",
        settings={"base_url": desk.server.url},
        secrets={"api_key": {"env": "NOT_SET_ANYWHERE"}},
    )
    model = await make_model(desk.app, credential, "judge", prices=PRICES)
    judge = {"kind": "judge", "options": {"model_id": str(model.id), "criteria": CRITERIA}}

    run = await desk.run(variants=[desk.variant()], scorers=[judge])

    assert (run["state"], run["done_count"], run["score_count"]) == ("completed", 6, 6)
    assert "judge" not in {each.body["model"] for each in desk.server.received}
    for cell in await desk.cells(run["id"]):
        (score,) = (await desk.get(f"/outputs/{cell['id']}"))["details"]
        assert (score["value"], score["flag"]) == (None, "judge_failed")
        assert "NOT_SET_ANYWHERE is not set" in score["rationale"]


async def test_a_refused_key_halts_the_variants_that_need_it_and_no_others(desk: Desk) -> None:
    async with scripted_server.running() as other:
        other.script(REFUSED)
        variants = [desk.variant(), desk.variant(model_id=await other_model(desk, other.url))]
        run = await desk.run(variants=variants)
        asked = len(other.received)

    assert (run["state"], run["done_count"], run["error_count"]) == ("completed", 12, 6)
    good, bad = run["variants"]
    assert (good["error_count"], good["halted"]) == (0, None)
    assert bad["error_count"] == 6
    assert bad["halted"]["reason"] == "invalid_key"
    assert "refused the key" in bad["halted"]["message"]
    # The calls already in progress; the rest was not sent.
    assert asked <= 6
    assert len(desk.server.received) == 6


async def test_only_failed_cells_are_retried(desk: Desk) -> None:
    desk.server.script(TOO_LONG, TOO_LONG, openai.completion("Fine."))
    run = await desk.run()
    assert run["error_count"] == 2

    again = await desk.post(f"/runs/{run['id']}/retry")
    assert again.status_code == 200, again.text
    ended = await desk.finish(run["id"])

    assert (ended["done_count"], ended["error_count"]) == (6, 0)
    assert len(desk.server.received) == 8
    assert {cell["preview"] for cell in await desk.cells(run["id"])} == {"Fine."}


async def test_a_fallback_answers_for_a_failing_model_and_both_are_charged(desk: Desk) -> None:
    desk.server.script(openai.completion("", finish_reason="content_filter"))
    async with scripted_server.running() as other:
        other.script(openai.completion("From the other one."))
        fallback = await other_model(desk, other.url)
        run = await desk.run(variants=[desk.variant(fallback_model_id=fallback)])

    cells = await desk.cells(run["id"])
    assert [cell["preview"] for cell in cells] == ["From the other one."] * 6
    assert all(cell["is_fallback"] for cell in cells)
    ledger = await desk.ledger()
    assert len(ledger) == 12
    assert sum(Decimal(entry["cost_usd"]) for entry in ledger) == Decimal(run["cost_usd"])


async def test_answers_without_the_format_the_prompt_asks_for_are_malformed_and_score_nothing(
    desk: Desk,
) -> None:
    text = "Answer the question {{question}} inside a <response> tag, and be brief about it."
    response = await desk.dataset.editor.patch(
        f"{desk.project_url}/prompts/{desk.prompt.id}/draft",
        json={"version": 1, "text": text},
    )
    if response.status_code == 405:
        response = await desk.dataset.editor.put(
            f"{desk.project_url}/prompts/{desk.prompt.id}/draft",
            json={"version": 1, "text": text},
        )
    assert response.status_code == 200, response.text
    desk.server.script(
        openai.completion("No tag at all."), openai.completion("<response>Yes.</response>")
    )

    run = await desk.run(scorers=[{"kind": "contains", "options": {"phrases": ["Yes", "tag"]}}])

    assert run["malformed_count"] == 1
    values = sorted(
        (cell["status"], cell["scores"][0]["value"]) for cell in await desk.cells(run["id"])
    )
    assert values == [("malformed", 0.0)] + [("ok", 1.0)] * (len(CASES) - 1)


async def test_a_prompt_that_cannot_be_rendered_fails_its_cell(desk: Desk) -> None:
    prompt = await make_prompt(
        desk.app,
        desk.dataset.project.id,
        syntax="nunjucks",
        text="Answer this in one paragraph: {{ question.nope() if 'number 3' in question "
        "else question | upper }}",
    )
    run = await desk.run(variants=[desk.variant(prompt_id=str(prompt.id))])

    assert (run["state"], run["done_count"], run["error_count"]) == ("completed", 6, 1)
    assert len(desk.server.received) == 5
    assert "WHERE IS PARCEL NUMBER" in str(desk.server.received[0].body)
    (failed,) = [cell for cell in await desk.cells(run["id"]) if cell["status"] == "error"]
    assert failed["error"] == "template"
    detail = await desk.get(f"/outputs/{failed['id']}")
    assert "cannot be rendered" in detail["message"]

    replayed = await desk.post(f"/runs/{run['id']}/replay")
    again = await desk.finish(replayed.json()["id"])
    assert (again["error_count"], len(desk.server.received)) == (1, 5)
