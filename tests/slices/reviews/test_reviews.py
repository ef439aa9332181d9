"""Reviews: one decision per suggestion, also with concurrent reviewers."""

import asyncio

from edison.workspace.projects.models import Role
from tests.slices.experiments.lab import RULES, TEXT, Lab

FIRST = TEXT.replace("paragraph.\n", f"paragraph.\n{RULES[0]}\n")


async def test_two_concurrent_approvals_create_one_version(lab: Lab) -> None:
    experiment = await lab.make()
    first = await lab.until(await lab.start(experiment))
    refined, stated = [each["id"] for each in first["suggestions"]]
    reviewers = [await lab.member(Role.REVIEWER) for _ in range(2)]
    answers = await asyncio.gather(
        *(
            browser.post(f"{lab.project_url}/suggestions/{suggestion}/approve", json={})
            for browser in reviewers
            for suggestion in (refined, stated)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    refused = {answer.json()["error"]["code"] for answer in answers if answer.status_code == 409}
    assert refused == {"ALREADY_DECIDED"}
    versions = (await lab.get(f"/prompts/{experiment['prompt_id']}/versions"))["items"]
    assert [each["label"] for each in versions] == ["v2", "v1"]
    second = await lab.next_iteration(experiment, 2)
    assert second["number"] == 2
    assert len((await lab.experiment(experiment))["iterations"]) == 2


async def test_a_rejection_needs_a_reason_and_reaches_the_refiner(lab: Lab) -> None:
    experiment = await lab.make()
    first = await lab.until(await lab.start(experiment))
    queue = (await lab.get("/suggestions"))["items"]
    assert [(each["experiment_name"], each["number"]) for each in queue] == [
        ("Parcels", 1),
        ("Parcels", 2),
    ]
    assert {each["author"] for each in queue} == {None}
    assert [each["id"] for each in (await lab.get("/suggestions", q="parcel"))["items"]] == [
        each["id"] for each in queue
    ]
    assert (await lab.get("/suggestions", q="letters"))["items"] == []
    one, other = first["suggestions"]
    assert (await lab.post(f"/suggestions/{one['id']}/reject", reason=" ")).status_code == 400
    rejected = await lab.do(f"/suggestions/{one['id']}/reject", reason="We never greet.")
    assert rejected["suggestion"]["review"]["decision"] == "rejected"
    assert rejected["version_id"] is None
    assert (await lab.experiment(experiment))["state"] == "reviewing"
    await lab.do(f"/suggestions/{other['id']}/reject", reason="Too long for us.")
    assert (await lab.get("/suggestions"))["items"] == []
    decided = (await lab.get("/suggestions", state="rejected"))["items"]
    assert [each["decided_by"] for each in decided] == [await lab.email()] * 2
    found = await lab.experiment(experiment)
    assert found["state"] == "ready"
    assert found["iterations"][0]["state"] == "completed"
    await lab.until(await lab.start(experiment))
    asked = [each.body for each in lab.server.received if each.body.get("model") == "refiner"]
    assert "We never greet." in asked[-1]["messages"][-1]["content"]


async def test_an_edit_is_checked_while_it_is_written(lab: Lab) -> None:
    experiment = await lab.make()
    first = await lab.until(await lab.start(experiment))
    suggestion = await lab.suggestion(first)
    path = f"/suggestions/{suggestion['id']}"
    assert (suggestion["syntax"], suggestion["variables"]) == ("double", ["question"])
    fine = await lab.do(f"{path}/check", text=FIRST)
    assert fine["violations"] == []
    assert fine["problems"] == []
    assert fine["changes"] == suggestion["changes"]
    broken = await lab.do(f"{path}/check", text="Answer: {{order}}")
    assert {each["rail"] for each in broken["violations"]} >= {"variables"}
    assert (await lab.do(f"{path}/check", text=TEXT))["is_unchanged"] is True
    empty = await lab.do(f"{path}/check", text=" ")
    assert [each["code"] for each in empty["problems"]] == ["text_missing"]
    shots = [{"user": "Is it here?", "assistant": "Thank you for asking."}]
    parts = {"system": RULES[0], "few_shots": shots}
    both = await lab.do(f"{path}/check", text=TEXT, **parts)
    assert [each["part"] for each in both["changes"]] == ["system", "few_shots"]
    assert (both["is_unchanged"], both["violations"]) == (False, [])
    strange = [{"user": "{{order}}", "assistant": "Yes."}]
    found = (await lab.do(f"{path}/check", few_shots=strange))["violations"]
    assert [each["rail"] for each in found] == ["variables"]
    half = await lab.post(f"{path}/edit", few_shots=[{"user": "Is it here?"}])
    assert half.status_code == 400
    assert [each["field"] for each in half.json()["error"]["details"]] == ["few_shots.0.assistant"]
    assert (await lab.suggestion(first))["state"] == "pending"
    comment = await lab.do(f"{path}/comments", text="Shall we thank them instead?")
    listed = (await lab.get(f"{path}/comments"))["items"]
    assert listed == [comment]
    edited = await lab.do(
        f"{path}/edit", text=TEXT + RULES[1], **parts, reason="Thanks are enough."
    )
    assert edited["suggestion"]["state"] == "edited"
    assert edited["suggestion"]["after"] == {"text": TEXT + RULES[1], **parts}
    assert edited["suggestion"]["comment_count"] == 1
    version = await lab.get(f"/prompts/{experiment['prompt_id']}/versions/{edited['version_id']}")
    assert (version["text"], version["system"]) == (TEXT + RULES[1], RULES[0])
    assert version["few_shots"] == shots
    assert version["origin"] == "suggestion"
    # The draft was unchanged, so it continues from the new version.
    prompt = await lab.get(f"/prompts/{experiment['prompt_id']}")
    assert prompt["draft"]["text"] == TEXT + RULES[1]
    assert prompt["draft"]["is_changed"] is False


async def test_a_changed_base_is_reported_before_a_branch_is_created(lab: Lab) -> None:
    experiment = await lab.make()
    first = await lab.until(await lab.start(experiment))
    suggestion = await lab.suggestion(first)
    prompt = f"/prompts/{experiment['prompt_id']}"
    await lab.save_version(experiment, TEXT + "!")
    shown = await lab.suggestion(first)
    assert (shown["is_base_latest"], shown["latest"]["label"]) == (False, "v2")
    refused = await lab.post(f"/suggestions/{suggestion['id']}/approve")
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "BASE_CHANGED"
    assert (await lab.suggestion(first))["state"] == "pending"
    branched = await lab.do(f"/suggestions/{suggestion['id']}/approve", may_branch=True)
    version = await lab.get(f"{prompt}/versions/{branched['version_id']}")
    assert (version["label"], version["parent_id"]) == ("v3", suggestion["base"]["id"])
    assert (await lab.get(prompt))["draft"]["text"] == TEXT + "!"


async def test_a_counterexample_goes_into_the_dataset(lab: Lab) -> None:
    experiment = await lab.make()
    first = await lab.until(await lab.start(experiment))
    reviewer = await lab.member(Role.REVIEWER)
    url = f"{lab.project_url}/suggestions/{first['suggestions'][0]['id']}/cases"
    case = {"inputs": {"question": "Is it art?"}, "split": "train", "origin": "adversarial"}
    added = await reviewer.post(url, json={"case": case})
    assert added.status_code == 201
    found = await lab.get(f"/datasets/{lab.dataset.id}/cases/{added.json()['case_id']}")
    assert (found["origin"], found["split"]) == ("adversarial", "train")
    again = await reviewer.post(url, json={"case": case})
    assert again.json()["case_id"] is None
    viewer = await lab.member(Role.VIEWER)
    assert (await viewer.post(url, json={"case": case})).status_code == 403


async def test_without_required_reviews_an_experiment_runs_to_its_end(lab: Lab) -> None:
    owner = await lab.member(Role.ADMIN)
    url = f"{lab.project_url}/settings"
    settings = (await owner.get(url)).json()
    del settings["updated_at"]
    changed = await owner.put(url, json=settings | {"require_review_approval": False})
    assert changed.status_code == 200, changed.text
    experiment = await lab.make(limits={"max_iterations": 3})
    await lab.start(experiment)
    ended = await lab.until_it(
        f"/experiments/{experiment['id']}", lambda found: found["state"] == "completed"
    )
    assert [each["state"] for each in ended["iterations"]] == ["completed"] * 3
    assert [each["label"] for each in ended["lineage"]] == ["v1", "v2", "v3"]
    assert ended["stop"]["reason"] == "max_iterations"
    suggestion = await lab.suggestion(ended["iterations"][0])
    assert suggestion["review"]["reviewer"] is None
    assert suggestion["review"]["decision"] == "approved"
    # Two held-out cases cannot show a gain.
    assert (ended["best"]["iteration"], ended["best"]["gate"]["iteration"]) == (1, 3)
    told = (await lab.get(f"/experiments/{experiment['id']}/activity"))["entries"]
    assert [(each["kind"], each["actor"]) for each in told if each["iteration"] == 2] == [
        ("approved", None),
        ("suggested", None),
        ("measured", None),
        ("started", None),
    ]
