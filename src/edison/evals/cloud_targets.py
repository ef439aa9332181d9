"""Providers of the clouds of Amazon and Google in configurations.

Their keys identify the machine, so they are not stored by name: an access key or a service account
is sealed with the credential.
"""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from edison.evals.errors import ConfigError, NotSupported
from edison.evals.plan import EvalProvider
from edison.kit.lazy_dataclasses import dataclass

BEDROCK_KEY = "AWS_BEARER_TOKEN_BEDROCK"
_ACCOUNT = "GOOGLE_APPLICATION_CREDENTIALS"
_PAIR = f"{BEDROCK_KEY}, or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY"
_GENERATION = {"maxOutputTokens": "max_tokens", "topP": "top_p", "temperature": "temperature"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudAccess:
    """How a cloud is called. `missing` names the variables that would hold a key."""

    settings: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    variable: str | None = None
    missing: str | None = None


def bedrock_access(given: EvalProvider, env: Mapping[str, str]) -> CloudAccess:
    """An API key goes before an access key, and the configuration before the environment."""
    config = given.config
    region = _text(config, "region") or env.get("AWS_REGION") or env.get("AWS_DEFAULT_REGION")
    endpoint = _text(config, "endpoint")
    settings = {
        name: each for name, each in (("region", region), ("endpoint_url", endpoint)) if each
    }
    if key := _text(config, "apiKey"):
        return CloudAccess(settings=settings, secrets={"api_key": key})
    own = {
        "access_key_id": _text(config, "accessKeyId"),
        "secret_access_key": _text(config, "secretAccessKey"),
        "session_token": _text(config, "sessionToken"),
    }
    if not own["access_key_id"] and env.get(BEDROCK_KEY):
        return CloudAccess(settings=settings, variable=BEDROCK_KEY)
    if not own["access_key_id"]:
        own = {name: env.get(f"AWS_{name.upper()}") for name in own}
    access, secret = own.pop("access_key_id"), own["secret_access_key"]
    if not access or not secret:
        return CloudAccess(settings=settings, variable=BEDROCK_KEY, missing=_PAIR)
    kept = {name: each for name, each in own.items() if each}
    return CloudAccess(settings={**settings, "access_key_id": access}, secrets=kept)


def vertex_access(given: EvalProvider, model: str, env: Mapping[str, str]) -> CloudAccess:
    """The service account is the text in `credentials`, or the file that the environment names.
    Raises ConfigError.
    """
    if not model.startswith(("gemini", "publishers/google")):
        raise NotSupported(
            f"{given.id}: only Gemini models of Vertex AI are supported.", given.place
        )
    config = given.config
    location = _text(config, "region") or env.get("VERTEX_REGION")
    project = (
        _text(config, "projectId")
        or env.get("VERTEX_PROJECT_ID")
        or env.get("GOOGLE_CLOUD_PROJECT")
    )
    settings = {name: each for name, each in (("location", location), ("project", project)) if each}
    account = _text(config, "credentials")
    if account is not None and not account.lstrip().startswith("{"):
        message = f"“credentials” must be JSON text; for a file, set {_ACCOUNT}."
        raise NotSupported(message, given.place)
    if account is None and (path := env.get(_ACCOUNT)):
        account = _read(Path(path), given)
    if account is None:
        return CloudAccess(settings=settings, missing=_ACCOUNT)
    return CloudAccess(settings=settings, secrets={"service_account": account})


def vertex_parameters(config: Mapping[str, Any]) -> dict[str, Any]:
    """`generationConfig` with the names of other providers."""
    given = config.get("generationConfig")
    found = given if isinstance(given, dict) else {}
    return {ours: found[name] for name, ours in _GENERATION.items() if found.get(name) is not None}


def _read(path: Path, given: EvalProvider) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError(f"{_ACCOUNT}: {path} cannot be read.", given.place) from wrong


def _text(config: Mapping[str, Any], name: str) -> str | None:
    found = config.get(name)
    return found if isinstance(found, str) and found else None
