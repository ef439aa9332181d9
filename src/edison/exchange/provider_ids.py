"""Names of models in configurations, the opposite of `evals/targets.py`."""

from typing import Any

from edison.library.models.service import CallableModel

_PREFIXES = {
    "openai": "openai:chat:",
    "openai_compatible": "openai:chat:",
    "anthropic": "anthropic:messages:",
    "azure": "azure:chat:",
    "bedrock": "bedrock:",
    "ollama": "ollama:chat:",
    "sim": "sim:",
    "vertex": "vertex:",
}
_SETTINGS = {
    "base_url": "apiBaseUrl",
    "endpoint": "apiBaseUrl",
    "api_version": "apiVersion",
    "region": "region",
    "location": "region",
    "project": "projectId",
}
_PARAMETERS = (
    "temperature",
    "max_tokens",
    "top_p",
    "frequency_penalty",
    "presence_penalty",
    "seed",
)


def provider_of(model: CallableModel) -> str | dict[str, Any]:
    """The provider of a configuration, with address and parameters but no key."""
    credential = model.credential
    prefix = _PREFIXES.get(credential.provider)
    if prefix is None:
        return f"edison:{model.display_name}"
    name = f"{prefix}{model.provider_model}"
    config = {
        theirs: credential.settings[ours]
        for ours, theirs in _SETTINGS.items()
        if credential.settings.get(ours)
    }
    parameters = {key: getattr(model.parameters, key, None) for key in _PARAMETERS}
    config |= {key: each for key, each in parameters.items() if each not in (None, (), [])}
    return {"id": name, "label": model.display_name} | ({"config": config} if config else {})
