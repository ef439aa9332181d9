"""The test bench: one scorer on one answer, with all calls behind the score."""

from typing import Any

import pytest
from sqlalchemy import select

from edison.kit import ids
from edison.workspace.audit.models import AuditEntry
from tests.factories.budgets import exhaust_budget
from tests.factories.prompts import make_prompt
from tests.factories.runs import add_output, add_run
from tests.factories.scorers import ACCURACY, TONE
from tests.fake_providers import openai
from tests.slices.scorers.conftest import Bench, verdict
from tests.support.browser import error_of, fields_of

CONTAINS = {"kind": "contains", "options": {"phrases": ["parcel"]}}
# 20 tokens in at $2 and 9 out at $8 per million.
COST = "0.000112"


async def test_a_free_scorer_returns_value_and_rationale(bench: Bench) -> None:
    tried = await bench.make(
        "/scorers/try", scorer=CONTAINS, sample={"text": "Your parcel is near."}
    )
    assert tried.pop("seconds") >= 0
    assert tried == {
        "value": 1.0,
        "is_passed": True,
        "flag": None,
        "rationale": "1 of 1 found.",
        "raw": None,
        "criteria": {},
        "cost_usd": "0.00",
        "questions": [],
        "subject": {"text": "Your parcel is near.", "expected": None, "inputs": {}},
    }


async def test_a_judge_is_charged_to_the_budget_and_its_reply_is_shown(bench: Bench) -> None:
    bench.server.script(openai.completion(verdict(Accuracy=5, Tone=2)))
    tried = await bench.make(
        "/scorers/try",
        scorer={**bench.judge(criteria=[ACCURACY, TONE]), "threshold": 0.8},
        sample={"text": "It is near.", "expected": "It is here.", "inputs": {"question": "Where?"}},
    )
    assert (tried["value"], tried["is_passed"]) == (0.85, True)
    assert tried["criteria"] == {
        "Accuracy": {"value": 1.0, "raw": 5.0, "rationale": "Because of Accuracy."},
        "Tone": {"value": 0.4, "raw": 2.0, "rationale": "Because of Tone."},
    }
    (question,) = tried["questions"]
    assert question["model"] == "gpt-x"
    assert question["answer"] == verdict(Accuracy=5, Tone=2)
    assert "It is near." in question["text"]
    assert (question["failure"], question["is_cached"], tried["cost_usd"]) == (None, False, COST)
    (entry,) = (await bench.get("/ledger"))["items"]
    assert (entry["purpose"], entry["cost_usd"]) == ("try_scorer", COST)
    async with bench.app.state.database.read() as session:
        tried_entry = await session.scalar(
            select(AuditEntry).where(AuditEntry.action == "scorer.tried")
        )
    assert tried_entry is not None
    assert tried_entry.after == {"models": ["gpt-x"]}


async def test_a_repeated_trial_is_free_unless_the_cache_is_bypassed(bench: Bench) -> None:
    bench.server.script(
        openai.completion(verdict(Tone=2)),
        openai.completion(verdict(Tone=4)),
    )
    body = {"scorer": bench.judge(criteria=[TONE]), "sample": {"text": "It is near."}}
    first, again, bypassing = [
        await bench.make("/scorers/try", **body, is_cache_bypassed=bypassed)
        for bypassed in (False, False, True)
    ]
    assert [each["value"] for each in (first, again, bypassing)] == [0.4, 0.4, 0.8]
    assert [each["cost_usd"] for each in (first, again, bypassing)] == [COST, "0.00", COST]
    assert [each["questions"][0]["is_cached"] for each in (first, again, bypassing)] == [
        False,
        True,
        False,
    ]


async def test_a_judge_that_fails_or_cannot_be_read_is_flagged(bench: Bench) -> None:
    body = {"scorer": bench.judge(criteria=[TONE]), "sample": {"text": "It is near."}}
    bench.server.script(openai.completion("Well…"), openai.completion("Nice!"))
    unreadable = await bench.make("/scorers/try", **body)
    assert (unreadable["value"], unreadable["flag"]) == (0.0, "judge_unreadable")
    assert [each["answer"] for each in unreadable["questions"]] == ["Well…", "Nice!"]
    bench.server.script(openai.error(400))
    failed = await bench.make("/scorers/try", **body, is_cache_bypassed=True)
    assert (failed["value"], failed["flag"]) == (None, "judge_failed")
    assert failed["questions"][0]["failure"] == failed["rationale"]


async def test_a_saved_version_is_tried_as_it_was_saved(bench: Bench) -> None:
    saved = await bench.make("/scorers", name="Parcel", **CONTAINS, is_negated=True)
    tried = await bench.make(
        "/scorers/try",
        scorer_version_id=saved["latest"]["id"],
        sample={"text": "Your parcel is near."},
    )
    assert (tried["value"], tried["is_passed"]) == (0.0, False)


async def test_a_sample_may_be_a_case_or_an_output(bench: Bench) -> None:
    (case,) = await bench.dataset.cases()
    of_case = await bench.make(
        "/scorers/try",
        scorer={"kind": "exact"},
        sample={"text": "Here.", "dataset_id": str(bench.dataset.id), "case_id": case["id"]},
    )
    assert of_case["subject"]["inputs"] == {"question": "Where is my parcel?"}
    assert (of_case["value"], of_case["flag"]) == (None, "no_expected")
    async with bench.app.state.database.write() as session:
        run = await add_run(session, bench.dataset.project.id)
        output = await add_output(session, run, text="A <b>parcel</b>.", latency_seconds=3.0)
        malformed = await add_output(
            session,
            run,
            repeat=1,
            status="malformed",
            error="no_response_tag",
            text="A parcel.",
        )
        failed = await add_output(session, run, repeat=2, status="error", text=None)
    of_output = await bench.make(
        "/scorers/try", scorer=CONTAINS, sample={"output_id": str(output.id)}
    )
    assert (of_output["value"], of_output["subject"]["text"]) == (1.0, "A <b>parcel</b>.")
    slow = await bench.make(
        "/scorers/try",
        scorer={"kind": "latency_limit", "options": {"limit_seconds": 2}},
        sample={"output_id": str(output.id)},
    )
    assert slow["value"] == 0.0
    lowest = await bench.make(
        "/scorers/try", scorer=CONTAINS, sample={"output_id": str(malformed.id)}
    )
    assert (lowest["value"], lowest["flag"]) == (0.0, "malformed")
    refused = await bench.post(
        "/scorers/try", scorer=CONTAINS, sample={"output_id": str(failed.id)}
    )
    assert fields_of(refused) == {"sample.output_id"}


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"scorer": {"kind": "poem"}}, {"scorer.kind"}),
        (
            {"scorer": {"kind": "contains", "options": {"needs": "some", "x": 1}}},
            {"scorer.options.needs", "scorer.options.x"},
        ),
        ({"scorer": {"kind": "contains", "threshold": 2}}, {"scorer.threshold"}),
        ({"sample": {}}, {"sample"}),
        ({"sample": {"text": "x", "case_id": "01a1dddc-16a0-7ee4-bf6e-63224ee4f564"}}, {"sample"}),
        (
            {"sample": {"output_id": "01a1dddc-16a0-7ee4-bf6e-63224ee4f564", "text": "x"}},
            {"sample"},
        ),
        (
            {"scorer": None, "scorer_version_id": "01a1dddc-16a0-7ee4-bf6e-63224ee4f564"},
            {"scorer_version_id"},
        ),
    ],
)
async def test_invalid_trials_are_refused_with_their_fields(
    bench: Bench, change: dict[str, Any], fields: set[str]
) -> None:
    body = {"scorer": CONTAINS, "sample": {"text": "Your parcel is near."}} | change
    assert fields_of(await bench.post("/scorers/try", **body)) == fields


async def test_outputs_and_cases_of_others_do_not_exist(bench: Bench) -> None:
    absent = "01a1dddc-16a0-7ee4-bf6e-63224ee4f564"
    for sample in (
        {"output_id": absent},
        {"text": "x", "dataset_id": absent, "case_id": absent},
        {"text": "x", "dataset_id": str(bench.dataset.id), "case_id": absent},
    ):
        refused = await bench.post("/scorers/try", scorer=CONTAINS, sample=sample)
        assert (refused.status_code, error_of(refused)["code"]) == (404, "NOT_FOUND")
    assert bench.server.received == []


async def test_a_grader_prompt_is_tried_with_its_current_text(bench: Bench) -> None:
    project_id = bench.model.project_id
    grader = await make_prompt(
        bench.app, project_id, name="Strict", kind="grader", text="Grade {{output}} from 0 to 1."
    )
    other = await make_prompt(bench.app, project_id, text="Answer {{question}}.")
    bench.server.script(openai.completion("0.75\nNearly."))

    def scorer(prompt_id: object, **more: object) -> dict[str, object]:
        options = {"prompt_id": str(prompt_id), "model_id": str(bench.model.id), **more}
        return {"kind": "grader_prompt", "options": options}

    tried = await bench.make(
        "/scorers/try", scorer=scorer(grader.id), sample={"text": "It is near."}
    )
    assert (tried["value"], tried["rationale"]) == (0.75, "Nearly.")
    assert "Grade <output-" in tried["questions"][0]["text"]

    for wrong, field in (
        (scorer(other.id), "scorer.options.prompt_id"),
        (scorer(ids.new_id()), "scorer.options.prompt_id"),
        (scorer(grader.id, version_id=str(ids.new_id())), "scorer.options.version_id"),
    ):
        response = await bench.post("/scorers/try", scorer=wrong, sample={"text": "It is near."})
        assert fields_of(response) == {field}


async def test_a_grader_prompt_is_tried_with_its_words(bench: Bench) -> None:
    grader = await bench.make(
        "/prompts", name="Kindness", kind="grader", text="How kind is {{output}}?"
    )
    reply = await bench.make("/prompts", name="Reply", text="Answer kindly.")
    options = {"prompt_id": grader["id"], "model_id": str(bench.model.id), "form": "share"}
    saved = await bench.make(
        "/scorers", name="Kind", kind="grader_prompt", options={**options, "frozen": {"text": "x"}}
    )
    assert saved["options"]["frozen"] is None
    bench.server.script(openai.completion("0.75\nRather kind."))
    tried = await bench.make(
        "/scorers/try",
        scorer_version_id=saved["latest"]["id"],
        sample={"text": "Gladly!"},
    )
    assert tried["value"] == 0.75
    assert "How kind is" in tried["questions"][0]["text"]
    refused = await bench.post(
        "/scorers", name="B", kind="grader_prompt", options={**options, "prompt_id": reply["id"]}
    )
    assert fields_of(refused) == {"options.prompt_id"}


async def test_a_judge_is_not_asked_on_an_exhausted_budget(bench: Bench) -> None:
    await exhaust_budget(bench.app, bench.dataset.project.id)
    body = {"scorer": bench.judge(criteria=[TONE]), "sample": {"text": "It is near."}}
    response = await bench.post("/scorers/try", **body)
    assert response.status_code == 402
    assert response.json()["error"]["code"] == "BUDGET_EXCEEDED"
    assert bench.server.received == []
