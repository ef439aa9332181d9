"""Runs that redact personal data from answers: it is neither stored nor shown."""

import json
from typing import Any

from sqlalchemy import select

from edison.app.tables import metadata
from edison.pipeline.score.parse import Malformation
from tests.factories.prompts import make_prompt
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Received, Reply
from tests.slices.runs.conftest import Desk
from tests.slices.runs.judging import CRITERIA, open_bench

EMAIL, CARD = "jo@example.org", "4111 1111 1111 1111"
SECRETS = (EMAIL, CARD, CARD.replace(" ", ""))
LEAK = f"Write to {EMAIL}; the card is {CARD}."
PII = {"kind": "pii", "options": {}}


def leaking(received: Received) -> Reply:
    """Answers leak personal data, and the judge repeats its material."""
    text = received.body["messages"][-1]["content"]
    if "scores" in text:
        shown = "[EMAIL]" if "[EMAIL]" in text else EMAIL
        scores = {"Tone": 4, "Facts": 2}
        reasons = {"Tone": f"Names {shown} and {CARD}.", "Facts": "So so."}
        return openai.completion(json.dumps({"scores": scores, "rationales": reasons}))
    mail = {"name": "mail", "arguments": json.dumps({"to": EMAIL})}
    call = {"id": "1", "type": "function", "function": mail}
    return openai.completion(LEAK, tool_calls=[call])


async def everything_stored(desk: Desk) -> str:
    async with desk.app.state.database.read() as session:
        rows = [
            repr(tuple(row))
            for table in metadata.sorted_tables
            for row in await session.execute(select(table))
        ]
    return "\n".join(rows)


async def answers(desk: Desk, run: dict[str, Any]) -> list[dict[str, Any]]:
    cells = await desk.cells(run["id"])
    return [await desk.get(f"/outputs/{cell['id']}") for cell in cells]


async def test_redacted_text_is_neither_stored_nor_shown(desk: Desk) -> None:
    bench = await open_bench(desk)
    desk.server.choose = leaking
    judge = {"kind": "judge", "options": {"model_id": str(bench.judge.id), "criteria": CRITERIA}}
    run = await desk.run(cases={"limit": 1}, scorers=[PII, judge], redact_pii={})

    assert run["state"] == "completed", run["message"]
    assert run["redaction"]["kinds"][:2] == ["secret", "email"]
    [output] = await answers(desk, run)
    assert output["text"] == "Write to [EMAIL]; the card is [CARD]."
    found, judged = output["details"]
    assert (found["value"], found["rationale"]) == (
        0.0,
        "Found an e-mail address that was redacted (2 times), a card number that was redacted.",
    )
    assert judged["flag"] is None
    assert judged["criteria"]["Tone"]["rationale"] == "Names [EMAIL] and [CARD]."
    assert len(desk.server.received) == 2
    asked = json.dumps(desk.server.received[1].body)
    stored = await everything_stored(desk)
    assert "[EMAIL]" in asked
    assert "[EMAIL]" in stored
    assert [secret for secret in SECRETS if secret in asked or secret in stored] == []

    replay = await desk.finish((await desk.post(f"/runs/{run['id']}/replay")).json()["id"])
    compared = await desk.get(f"/runs/{replay['id']}/replay-comparison")
    assert (compared["is_identical"], compared["scores_compared"]) == (True, 2)


async def test_cached_answers_are_reused_only_with_the_same_redaction(
    desk: Desk,
) -> None:
    desk.server.choose = leaking
    one = {"cases": {"limit": 1}}
    await desk.run(**one, redact_pii={})
    [whole] = await answers(desk, await desk.run(**one))
    [emails] = await answers(desk, await desk.run(**one, redact_pii={"kinds": ["email"]}))
    again = await desk.run(**one, redact_pii={})
    [kept] = await answers(desk, again)

    assert whole["text"] == LEAK
    assert emails["text"] == f"Write to [EMAIL]; the card is {CARD}."
    assert kept["text"] == "Write to [EMAIL]; the card is [CARD]."
    assert len(desk.server.received) == 3
    assert again["cached_count"] == 1
    copy = await desk.finish((await desk.post(f"/runs/{again['id']}/again")).json()["id"])
    assert copy["redaction"] == again["redaction"]


async def test_redacted_json_stays_valid_and_the_parsed_value_is_redacted(desk: Desk) -> None:
    prompt = await make_prompt(
        desk.app, desk.dataset.project.id, name="Json", text="Reply to {{question}} in JSON."
    )
    number = CARD.replace(" ", "")
    desk.server.choose = lambda _: openai.completion(f'{{"card": {number}, "to": "{EMAIL}"}}')
    run = await desk.run(
        variants=[desk.variant(prompt_id=str(prompt.id))], cases={"limit": 1}, redact_pii={}
    )
    [output] = await answers(desk, run)
    assert output["status"] != Malformation.NOT_JSON
    assert json.loads(output["parsed"]) == {"card": "[CARD]", "to": "[EMAIL]"}


async def test_an_invalid_redaction_is_refused(desk: Desk) -> None:
    for wrong in ({"kinds": []}, {"kinds": ["soul"]}, {"region": "us"}, {"countries": ["XX"]}):
        response = await desk.dataset.editor.post(desk.url, json=desk.body(redact_pii=wrong))
        assert response.status_code == 400
