"""Bedrock and Vertex in configurations: names, regions, keys, parameters."""

from pathlib import Path
from typing import Any

import pytest

from edison.evals.errors import ConfigError
from edison.evals.plan import EvalProvider
from edison.evals.register import _credential
from edison.evals.targets import Target, target_of


def target(name: str, env: dict[str, str] | None = None, **config: Any) -> Target:
    return target_of(EvalProvider(id=name, config=config), env or {})


def test_bedrock_takes_an_api_key_before_an_access_key() -> None:
    model = "anthropic.claude-3-5-sonnet-20241022-v2:0"
    env = {"AWS_BEARER_TOKEN_BEDROCK": "t", "AWS_ACCESS_KEY_ID": "a", "AWS_REGION": "eu-west-1"}
    found = target(f"bedrock:{model}", env, temperature=0.3)
    assert (found.provider, found.model, found.variable) == (
        "bedrock",
        model,
        "AWS_BEARER_TOKEN_BEDROCK",
    )
    assert found.settings == {"region": "eu-west-1"}
    assert found.parameters == {"max_tokens": 1024, "temperature": 0.3}


def test_bedrock_takes_an_access_key_of_the_environment_or_the_configuration() -> None:
    env = {
        "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_SESSION_TOKEN": "token",
    }
    found = target("bedrock:converse:amazon.nova-lite-v1:0", env, region="us-west-2")
    assert found.model == "amazon.nova-lite-v1:0"
    assert found.settings == {"region": "us-west-2", "access_key_id": "AKIAIOSFODNN7EXAMPLE"}
    assert found.secrets == {"secret_access_key": "secret", "session_token": "token"}
    made = _credential(found, has_key=False)
    assert sorted(made.secrets) == ["secret_access_key", "session_token"]
    assert "secret" not in made.label
    own = target("bedrock:m", env, accessKeyId="AKIAOTHEROTHEROTHER0", secretAccessKey="own")
    assert (own.settings["access_key_id"], own.secrets) == (
        "AKIAOTHEROTHEROTHER0",
        {"secret_access_key": "own"},
    )


def test_a_missing_key_is_named() -> None:
    assert target("bedrock:m").missing == (
        "AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY"
    )
    assert target("vertex:gemini-2.5-flash").missing == "GOOGLE_APPLICATION_CREDENTIALS"


def test_vertex_reads_the_service_account_that_the_environment_names(tmp_path: Path) -> None:
    account = tmp_path / "account.json"
    account.write_text('{"project_id": "p"}')
    env = {"GOOGLE_APPLICATION_CREDENTIALS": str(account), "VERTEX_REGION": "europe-west1"}
    generation = {"maxOutputTokens": 200, "topP": 0.9, "temperature": 0}
    found = target("vertex:gemini-2.5-flash", env, projectId="mine", generationConfig=generation)
    assert (found.provider, found.settings) == (
        "vertex",
        {"location": "europe-west1", "project": "mine"},
    )
    assert found.secrets == {"service_account": '{"project_id": "p"}'}
    assert found.parameters == {"max_tokens": 200, "top_p": 0.9, "temperature": 0}


@pytest.mark.parametrize(
    ("name", "env", "config", "message"),
    [
        ("vertex:claude-sonnet-4", {}, {}, "vertex:claude-sonnet-4: only Gemini models"),
        ("vertex:gemini-2.5-pro", {}, {"credentials": "file:///etc/passwd"}, "“credentials” must"),
        (
            "vertex:gemini-2.5-pro",
            {"GOOGLE_APPLICATION_CREDENTIALS": "/missing.json"},
            {},
            "GOOGLE_APPLICATION_CREDENTIALS: /missing.json cannot be read.",
        ),
    ],
)
def test_what_cannot_be_called_is_refused(
    name: str, env: dict[str, str], config: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        target(name, env, **config)
    assert refused.value.message.startswith(message)
