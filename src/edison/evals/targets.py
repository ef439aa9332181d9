"""Which of Edison's providers answers for a provider of a configuration, with which key.

Keys are read only from the variable that the provider's vendor or the configuration names.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import Any

from edison.evals.cloud_targets import bedrock_access, vertex_access, vertex_parameters
from edison.evals.errors import NotSupported
from edison.evals.plan import EvalProvider
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.nearest import did_you_mean

_OPENAI = "https://api.openai.com/v1"
# Address and key variable of services with OpenAI's chat completions.
_COMPATIBLE: Mapping[str, tuple[str, str]] = {
    "cerebras": ("https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
    "deepinfra": ("https://api.deepinfra.com/v1/openai", "DEEPINFRA_API_KEY"),
    "deepseek": ("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "fireworks": ("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
    "google": ("https://generativelanguage.googleapis.com/v1beta/openai", "GOOGLE_API_KEY"),
    "groq": ("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "llamafile": ("http://localhost:8080/v1", "LLAMAFILE_API_KEY"),
    "mistral": ("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "openrouter": ("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "perplexity": ("https://api.perplexity.ai", "PERPLEXITY_API_KEY"),
    "togetherai": ("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "vllm": ("http://localhost:8000/v1", "VLLM_API_KEY"),
    "xai": ("https://api.x.ai/v1", "XAI_API_KEY"),
}
_PARAMETERS = {
    "temperature": "temperature",
    "max_tokens": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "maxTokens": "max_tokens",
    "num_predict": "max_tokens",
    "top_p": "top_p",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
    "stop": "stop",
    "seed": "seed",
}
_NOT_TEXT = ("image", "embedding", "embeddings", "moderation", "realtime", "video", "speech",
             "transcription", "assistant", "chatkit", "codex-sdk", "agents")  # fmt: skip
_PYTHON = re.compile(r"(?:file://|python:)(?P<file>.+\.py)(?::(?P<name>[A-Za-z_]\w*))?")
# Those with an interface of their own; `_OTHERS` are no vendors.
_VENDORS = ("openai", "anthropic", "azure", "azureopenai", "bedrock", "ollama", "vertex")
_OTHERS = ("echo", "edison", "exec", "sim")
_KINDS = ("chat", "messages", "completion", "responses", "converse")
_DEFAULT_TOKENS = 1024
_LONGEST_ADDRESS = 200


class TargetKind(StrEnum):
    """Where the answer comes from."""

    MODEL = "model"
    ECHO = "echo"
    COMMAND = "command"
    PYTHON = "python"
    HTTP = "http"
    OWN = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """`provider` is the key of Edison's provider, with its `settings`. The key is in `secret`, in
    `secrets` by field, or in the environment variable `variable`; `missing` names the variables of
    a key that is nowhere.
    """

    kind: TargetKind
    provider: str
    model: str
    settings: Mapping[str, str] = field(default_factory=dict)
    secret: str | None = None
    secrets: Mapping[str, str] = field(default_factory=dict)
    variable: str | None = None
    missing: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    file: Path | None = None
    function: str | None = None

    @property
    def is_code(self) -> bool:
        """Whether code of the configuration gives the answer."""
        return self.kind in {TargetKind.COMMAND, TargetKind.PYTHON, TargetKind.HTTP}


def target_of(given: EvalProvider, env: Mapping[str, str]) -> Target:
    """Raises NotSupported."""
    name, _, rest = given.id.partition(":")
    if given.id in {"echo", "promptfoo:echo"}:
        return Target(kind=TargetKind.ECHO, provider="echo", model="echo")
    if name == "exec":
        return Target(kind=TargetKind.COMMAND, provider="local_code", model=rest.strip())
    if found := _PYTHON.fullmatch(given.id):
        return _python(given, found)
    if given.id.startswith("file://"):
        raise NotSupported(
            f"{given.id}: only providers in Python files are supported.", given.place
        )
    if name in {"http", "https"}:
        return _http(given)
    if name in {"sim", "edison"} and rest:
        provider = "sim" if name == "sim" else ""
        kind = TargetKind.MODEL if provider else TargetKind.OWN
        parameters = _parameters(given.config, {})
        return Target(kind=kind, provider=provider, model=rest, parameters=parameters)
    return _hosted(given, name, rest, {**env, **given.env})


def _python(given: EvalProvider, found: re.Match[str]) -> Target:
    path = (given.folder / found["file"]).resolve()
    if not path.is_file():
        raise NotSupported(f"There is no file {found['file']}.", given.place)
    return Target(
        kind=TargetKind.PYTHON,
        provider="local_code",
        model=f"{path.name}:{found['name'] or 'call_api'}",
        file=path,
        function=found["name"] or "call_api",
    )


def _http(given: EvalProvider) -> Target:
    """Its model is named after the address and the request: another request is another model."""
    address = given.config.get("url") or given.id
    if not isinstance(address, str) or "://" not in address:
        raise NotSupported("An HTTP provider needs an address: “url”.", given.place)
    written = json.dumps(given.config, sort_keys=True, default=str).encode()
    request = hashlib.sha256(written).hexdigest()[:8]
    model = f"{address[:_LONGEST_ADDRESS]} {request}"
    return Target(kind=TargetKind.HTTP, provider="local_code", model=model)


def _model_name(given: EvalProvider, name: str, rest: str) -> str:
    kind, _, model = rest.partition(":")
    if kind in _NOT_TEXT or name in _NOT_TEXT:
        raise NotSupported(f"{given.id}: only providers of text are supported.", given.place)
    if not model or kind not in _KINDS:
        model = rest
    if name not in _VENDORS and name not in _COMPATIBLE:
        hint = did_you_mean(name, (*_VENDORS, *_COMPATIBLE, *_OTHERS))
        raise NotSupported(
            f"The provider {given.id} is not supported.{hint} Any address with OpenAI's API works "
            "as openai:chat:MODEL with apiBaseUrl.",
            given.place,
        )
    if not model:
        raise NotSupported(f"{given.id} names no model: {name}:MODEL.", given.place)
    return model


def _hosted(given: EvalProvider, name: str, rest: str, env: Mapping[str, str]) -> Target:
    model = _model_name(given, name, rest)
    config = given.config
    base = _text(config, "apiBaseUrl") or _text(config, "baseUrl") or _text(config, "baseURL")
    if name == "openai":
        return _openai(given, model, base, env)
    if name == "anthropic":
        address = base or env.get("ANTHROPIC_BASE_URL")
        return _keyed(given, "anthropic", model, address, "ANTHROPIC_API_KEY")
    if name == "ollama":
        address = base or env.get("OLLAMA_BASE_URL")
        settings = {} if address is None else {"base_url": address}
        return Target(
            kind=TargetKind.MODEL, provider="ollama", model=model, settings=settings,
            parameters=_parameters(config, {}),
        )  # fmt: skip
    if name in {"azure", "azureopenai"}:
        return _azure(given, model, base, env)
    if name in {"bedrock", "vertex"}:
        return _cloud(given, name, model, env)
    address, variable = _COMPATIBLE[name]
    if name == "google" and "GOOGLE_API_KEY" not in env and "GEMINI_API_KEY" in env:
        variable = "GEMINI_API_KEY"
    return _keyed(given, "openai_compatible", model, base or address, variable)


def _openai(given: EvalProvider, model: str, base: str | None, env: Mapping[str, str]) -> Target:
    address = base or env.get("OPENAI_API_BASE_URL") or env.get("OPENAI_BASE_URL")
    host = _text(given.config, "apiHost") or env.get("OPENAI_API_HOST")
    if address is None and host is not None:
        address = f"https://{host}/v1"
    defaults = {"temperature": 0, "max_tokens": _DEFAULT_TOKENS}
    if re.match(r"o\d|gpt-5", model):
        defaults = {}
    if address is None or address.rstrip("/") == _OPENAI:
        return _keyed(given, "openai", model, None, "OPENAI_API_KEY", defaults)
    return _keyed(given, "openai_compatible", model, address, "OPENAI_API_KEY", defaults)


def _azure(given: EvalProvider, model: str, base: str | None, env: Mapping[str, str]) -> Target:
    host = _text(given.config, "apiHost") or env.get("AZURE_API_HOST")
    endpoint = base or (f"https://{host.removeprefix('https://')}" if host else None)
    if endpoint is None:
        raise NotSupported("An Azure provider needs “apiHost”.", given.place)
    made = _keyed(given, "azure", model, None, "AZURE_API_KEY")
    settings = {"endpoint": endpoint}
    if version := _text(given.config, "apiVersion"):
        settings["api_version"] = version
    return Target(
        kind=made.kind, provider="azure", model=model, settings=settings, secret=made.secret,
        variable=made.variable, parameters=made.parameters,
    )  # fmt: skip


def _cloud(given: EvalProvider, name: str, model: str, env: Mapping[str, str]) -> Target:
    is_vertex = name == "vertex"
    access = vertex_access(given, model, env) if is_vertex else bedrock_access(given, env)
    more = vertex_parameters(given.config) if is_vertex else {}
    return Target(
        kind=TargetKind.MODEL,
        provider=name,
        model=model,
        settings=access.settings,
        secrets=access.secrets,
        variable=access.variable,
        missing=access.missing,
        parameters=_parameters(given.config, {"max_tokens": _DEFAULT_TOKENS, **more}),
    )


def _keyed(
    given: EvalProvider,
    provider: str,
    model: str,
    address: str | None,
    variable: str,
    defaults: Mapping[str, Any] | None = None,
) -> Target:
    config = given.config
    if defaults is None:
        defaults = {"max_tokens": _DEFAULT_TOKENS}
    secret, named = _text(config, "apiKey"), _text(config, "apiKeyEnvar")
    return Target(
        kind=TargetKind.MODEL,
        provider=provider,
        model=model,
        settings={} if address is None else {"base_url": address.rstrip("/")},
        secret=secret,
        variable=None if secret is not None else named or variable,
        parameters=_parameters(config, defaults),
    )


def _text(config: Mapping[str, Any], name: str) -> str | None:
    found = config.get(name)
    return found if isinstance(found, str) and found else None


def _parameters(config: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    given = {
        ours: config[name] for name, ours in _PARAMETERS.items() if config.get(name) is not None
    }
    if isinstance(given.get("stop"), str):
        given["stop"] = [given["stop"]]
    return {**defaults, **given}
