"""Prompts in the Nunjucks syntax."""

from tests.slices.prompts.conftest import PromptPage
from tests.support.browser import error_of, fields_of

TEXT = (
    "Answer the customer's question kindly: {{ question }}"
    "{% if tone %} Be {{ tone }}.{% endif %}"
    "{% for fact in facts %}\n- {{ fact | upper }}{% endfor %}"
)


async def test_a_template_with_logic_becomes_a_version(support: PromptPage) -> None:
    draft = await support.edit(syntax="nunjucks", text=TEXT)
    assert draft["variables"] == ["question", "tone", "facts"]
    assert draft["warnings"] == []
    version = await support.save()
    assert (version["syntax"], version["text"]) == ("nunjucks", TEXT)


async def test_a_preview_renders_conditions_and_loops(support: PromptPage) -> None:
    await support.edit(syntax="nunjucks", text=TEXT)
    inputs = {"question": "Why?", "facts": ["a", "b"], "more": 1}
    preview = (await support.browser.post(f"{support.url}/preview", json={"inputs": inputs})).json()
    assert preview["messages"][0]["text"] == (
        "Answer the customer's question kindly: Why?\n- A\n- B"
    )
    assert (preview["missing"], preview["unused"]) == ([], ["more"])
    empty = (await support.browser.post(f"{support.url}/preview", json={})).json()
    assert empty["missing"] == ["question", "facts"]


async def test_a_wrong_template_can_be_saved_but_makes_no_version(support: PromptPage) -> None:
    text = TEXT + "\n{% if x %}"
    draft = await support.edit(syntax="nunjucks", text=text, system="{{ x | nope }}")
    found = [(each["field"], each["code"], each["prevents_runs"]) for each in draft["warnings"]]
    assert found == [("system", "template_invalid", True), ("text", "template_invalid", True)]
    assert "line 3" in draft["warnings"][1]["message"]
    assert fields_of(await support.try_to_save()) == {"system", "text"}


async def test_a_preview_that_fails_names_the_text(support: PromptPage) -> None:
    text = "{% for i in range(n) %}{% for j in range(n) %}x{% endfor %}{% endfor %}"
    await support.edit(syntax="nunjucks", text=text)
    body = {"inputs": {"n": 10_000}}
    refused = await support.browser.post(f"{support.url}/preview", json=body)
    assert (refused.status_code, fields_of(refused)) == (400, {"text"})
    assert "takes too long" in error_of(refused)["details"][0]["message"]


async def test_unsaved_contents_are_previewed(support: PromptPage) -> None:
    body = {
        "syntax": "nunjucks",
        "system": "{{ a }}",
        "text": "{{ a | upper }}",
        "inputs": {"a": "x"},
    }
    project = support.url.rpartition("/")[0]
    preview = (await support.browser.post(f"{project}/preview", json=body)).json()
    assert (preview["system"], preview["messages"]) == ("x", [{"role": "user", "text": "X"}])
