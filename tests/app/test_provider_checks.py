"""Providers of stored credentials, as `edison doctor` checks them."""

import pytest
from fastapi import FastAPI

from edison.app.checkup import CheckResult, examine
from edison.settings import Settings
from tests.factories.datasets import make_dataset
from tests.factories.models import make_credential
from tests.fake_providers import scripted_server
from tests.fake_providers.scripted_server import Answer


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"allow_private_addresses": True})


async def test_each_provider_is_asked_and_told_apart(
    app: FastAPI, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    project = (await make_dataset(app, [])).project
    async with scripted_server.running() as works, scripted_server.running() as refuses:
        works.replies = [Answer(body={"object": "list", "data": [{"id": "gpt-x"}]})]
        refuses.replies = [Answer(status=401, body={"error": {"message": "wrong key sk-1"}})]
        for label, url in (("a", works.url), ("b", refuses.url), ("c", "http://127.0.0.1:9/v1")):
            await make_credential(
                app, project.id, "openai_compatible", label=label, settings={"base_url": url}
            )
        secrets = {"api_key": {"env": "ANTHROPIC_API_KEY"}}
        await make_credential(app, project.id, "anthropic", label="d", secrets=secrets)
        await make_credential(app, project.id, "sim", label="e")
        found = [each for each in await examine(settings) if "“" in each.subject]
    assert [each.verdict for each in found] == ["ok", "warning", "warning", "warning"]
    assert found[0] == CheckResult(
        subject=f"OpenAI-compatible server, “a” of {project.slug}",
        verdict="ok",
        message="Answers, and accepts the key.",
    )
    assert "sk-1" not in str(found)
    assert "ANTHROPIC_API_KEY" in found[3].message
