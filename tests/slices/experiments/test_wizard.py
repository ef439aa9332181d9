"""The wizard: drafts are stored with their problems, and confirmed without any."""

from decimal import Decimal
from typing import Any

from edison.loops.experiments.schemas.drafts import Step
from edison.pipeline.generate.path.question import UNBOUNDED_TOKENS
from tests.fake_providers import openai
from tests.slices.experiments.lab import GOAL, TEXT, Lab

# Max tokens of a judge, unless its options say otherwise.
JUDGE_TOKENS = 4_000


def told(problems: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(each["field"], each["code"]) for each in problems}


async def test_a_draft_is_stored_with_its_problems_and_resumed(lab: Lab) -> None:
    made = await lab.do("/experiments", name="Parcels")
    assert made["state"] == "draft"
    assert made["step"] == "objective"
    assert told(made["problems"]) == {
        ("objective.goal", "too_short"),
        ("rubric.criteria", "too_few"),
        ("prompt.text", "text_missing"),
        ("data.dataset_id", "no_cases"),
        ("models.models", "too_few"),
        ("judges.judges", "too_few"),
    }
    draft = lab.draft(
        objective={"goal": "Too short."},
        rubric={"criteria": [{"name": "Tone!", "description": "Short", "weight": 0.7}]},
        prompt={"text": "Say it: {{question}}"},
        models={"grid": {"temperature": [0.1, 0.5, 3.0]}, "repeats": 0},
        judges={"judges": [], "is_pairwise": True},
        limits={"max_iterations": 0, "budget_usd": "-1", "alert_threshold": 0.2, "candidates": 9},
    )
    saved = (await lab.save(made, draft)).json()
    assert told(saved["problems"]) == {
        ("objective.goal", "too_short"),
        ("rubric.criteria", "too_few"),
        ("rubric.criteria", "weights_sum"),
        ("rubric.criteria.0.name", "value_error"),
        ("rubric.criteria.0.description", "string_too_short"),
        ("prompt.text", "too_short"),
        ("models.repeats", "out_of_range"),
        ("models.models.0.parameters.temperature", "out_of_range"),
        ("judges.judges", "too_few"),
        ("judges.pairwise_judge", "missing"),
        ("limits.max_iterations", "out_of_range"),
        ("limits.budget_usd", "out_of_range"),
        ("limits.alert_threshold", "out_of_range"),
        ("limits.candidates", "out_of_range"),
    }
    resumed = await lab.experiment(made)
    assert resumed["draft"]["objective"]["goal"] == "Too short."
    assert resumed["step"] == "limits"
    assert resumed["draft_version"] == 2
    refused = await lab.post(f"/experiments/{made['id']}/confirm")
    assert refused.status_code == 400
    assert len(refused.json()["error"]["details"]) == len(saved["problems"])
    stale = await lab.save(made, lab.draft())
    assert stale.status_code == 409
    current = stale.json()["error"]["details"]["current"]
    assert current["draft"]["objective"]["goal"] == "Too short."


async def test_confirming_creates_prompt_rubric_and_budget(lab: Lab) -> None:
    confirmed = await lab.make()
    assert confirmed["state"] == "ready"
    assert confirmed["is_changed"] is False
    assert confirmed["config"]["objective"]["goal"] == GOAL
    prompt = await lab.get(f"/prompts/{confirmed['prompt_id']}")
    assert prompt["name"] == "Parcel answers"
    assert prompt["draft"]["text"] == TEXT
    assert prompt["latest"]["id"] == confirmed["version_id"]
    rubrics = (await lab.get("/rubrics"))["items"]
    assert [(each["name"], each["criterion_names"]) for each in rubrics] == [
        ("Parcels rubric", ["Tone", "Facts"])
    ]
    (budget,) = (await lab.get("/budgets"))["items"]
    assert budget["scope"] == "experiment"
    assert budget["scope_name"] == "Parcels"
    assert budget["limit_usd"] == "100.00"
    # Objects in use cannot be deleted.
    gone = await lab.editor.delete(f"{lab.project_url}/prompts/{confirmed['prompt_id']}")
    assert gone.json()["error"]["code"] == "IN_USE"
    gone = await lab.editor.delete(f"{lab.project_url}/models/{lab.model_id('plain')}")
    assert gone.json()["error"]["message"] == "The experiment Parcels uses this model."
    # Confirming again changes the configuration, and creates nothing twice.
    draft = confirmed["draft"] | {"limits": confirmed["draft"]["limits"] | {"budget_usd": "7"}}
    assert (await lab.save(confirmed, draft)).json()["problems"] == []
    assert (await lab.experiment(confirmed))["is_changed"] is True
    again = await lab.do(f"/experiments/{confirmed['id']}/confirm")
    assert again["version_id"] == confirmed["version_id"]
    assert len((await lab.get("/rubrics"))["items"]) == 1
    (budget,) = (await lab.get("/budgets"))["items"]
    assert budget["limit_usd"] == "7.00"


async def test_an_estimate_of_unsaved_prompts_and_rubrics_stores_nothing(
    lab: Lab,
) -> None:
    made = await lab.do("/experiments", name="Parcels")
    draft = lab.draft(
        models={
            "models": [{"model_id": lab.model_id(name)} for name in ("plain", "fancy")],
            "grid": {"temperature": [0.2, 1.0]},
        },
        judges={"is_pairwise": True, "pairwise_judge": lab.model_id("judge")},
        limits={"max_iterations": 5},
    )
    found = await lab.do(f"/experiments/{made['id']}/estimate", draft=draft)
    assert found["problems"] == []
    assert (found["configurations"], found["combinations"]) == (4, 2)
    assert (found["train_cases"], found["holdout_cases"]) == (4, 2)
    iteration = found["iteration"]
    # The candidate is tried on the train cases.
    assert iteration["answer_calls"] == 4 * 6 + 4 * 4
    # Every answer once, and six pairs in both orders for each train case.
    assert iteration["judge_calls"] == 4 * 6 + 4 * 4 + 4 * 6 * 2
    assert any("2 held-out cases cannot show" in line for line in found["assumptions"])
    assert found["iterations"] == {"low": 3, "high": 5}
    assert Decimal(found["cost"]["high_usd"]) == 5 * Decimal(iteration["cost"]["high_usd"])
    assert (await lab.get("/prompts"))["items"] == []
    assert (await lab.get("/rubrics"))["items"] == []
    lacking = await lab.do(
        f"/experiments/{made['id']}/estimate",
        draft=lab.draft(prompt={"text": TEXT + "{{order}}"}),
    )
    assert [each["message"] for each in lacking["problems"] if each["step"] == "data"] == [
        "Cases 1, 2, 3, 4 have no value for order.",
        "Cases 1, 2 have no value for order.",
    ]


async def test_an_estimate_uses_the_length_of_earlier_answers(lab: Lab) -> None:
    experiment = await lab.make()
    url = f"/experiments/{experiment['id']}/estimate"
    # Six answers, four more of the candidate, ten judgements, and the refiner's output.
    unknown = (await lab.do(url))["iteration"]["output_tokens"]
    assert unknown["low"] <= 10 + 10 + 300
    assert unknown["high"] == 10 * UNBOUNDED_TOKENS + 10 * JUDGE_TOKENS + 2_000
    await lab.until(await lab.start(experiment))
    wrote = openai.USAGE["completion_tokens"]
    known = await lab.do(url)
    low, high = known["iteration"]["output_tokens"].values()
    # Two candidates were tried on four cases.
    assert low - 300 <= 20 * wrote <= high - 2_000 <= 3 * (low - 300)
    assert (
        f"plain wrote {wrote} tokens on average in 14 earlier calls of this prompt."
        in (known["assumptions"])
    )


async def test_templates_fill_every_step(lab: Lab) -> None:
    listed = await lab.get("/experiments/templates")
    assert [each["key"] for each in listed] == [
        "customer_support",
        "creative_writing",
        "data_extraction",
        "code_generation",
    ]
    for each in listed:
        made = await lab.do("/experiments", template=each["key"])
        assert made["name"] == each["name"]
        assert made["problems"] == []
        confirmed = await lab.do(f"/experiments/{made['id']}/confirm")
        assert confirmed["state"] == "ready"
        facets = await lab.get(f"/datasets/{confirmed['dataset_id']}/facets")
        assert {each["value"]: each["cases"] for each in facets["splits"]} == {
            "train": 8,
            "holdout": 3,
        }
    assert [step.value for step in Step] == list(made["draft"])


async def test_experiments_are_found_copied_and_archived(lab: Lab) -> None:
    first = await lab.make()
    second = await lab.do("/experiments", name="Refunds")
    listed = (await lab.get("/experiments"))["items"]
    assert [each["name"] for each in listed] == ["Refunds", "Parcels"]
    assert [each["id"] for each in (await lab.get("/experiments", q="parc"))["items"]] == [
        first["id"]
    ]
    assert [each["id"] for each in (await lab.get("/experiments", state="draft"))["items"]] == [
        second["id"]
    ]
    copy = await lab.do(f"/experiments/{first['id']}/duplicate")
    assert (copy["name"], copy["state"]) == ("Parcels copy", "draft")
    assert copy["draft"] == first["draft"]
    archived = await lab.do(f"/experiments/{first['id']}/archive")
    assert archived["archived_at"] is not None
    assert (await lab.save(archived, first["draft"])).json()["error"]["code"] == "ARCHIVED"
    assert len((await lab.get("/experiments"))["items"]) == 2
    assert len((await lab.get("/experiments", status="archived"))["items"]) == 1
    assert (await lab.get(""))["experiment_count"] == 2
    assert (await lab.do(f"/experiments/{first['id']}/unarchive"))["archived_at"] is None
    gone = await lab.editor.delete(f"{lab.project_url}/experiments/{copy['id']}")
    assert gone.status_code == 204
    assert len((await lab.get("/budgets"))["items"]) == 1
    gone = await lab.editor.delete(f"{lab.project_url}/experiments/{first['id']}")
    assert gone.status_code == 204
    assert (await lab.get("/budgets"))["items"] == []
    renamed = await lab.editor.patch(
        f"{lab.project_url}/experiments/{second['id']}", json={"name": "Returns"}
    )
    assert renamed.json()["name"] == "Returns"
