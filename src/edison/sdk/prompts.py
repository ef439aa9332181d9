"""Prompts by name, for programs that use them in production: cached, and with a fallback."""

import asyncio
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from edison.sdk.client import ApiError, Client, default_client

_NOT_FOUND = 404
# After a failed request the next one waits, so that a server that is down does not slow programs.
_RETRY_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A version of a prompt. `is_fallback`: it was given by the program, because the server could
    not be reached and nothing was cached.
    """

    name: str
    text: str
    version: str | None = None
    system: str | None = None
    syntax: str = "double"
    few_shots: tuple[Mapping[str, str], ...] = ()
    variables: tuple[str, ...] = ()
    is_fallback: bool = False

    def render(self, **values: Any) -> list[dict[str, str]]:
        """Messages with the values filled in, in the form that chat APIs take. Raises ValueError
        for variables without a value.
        """
        from edison.pipeline.render.nunjucks.lexer import TemplateError
        from edison.pipeline.render.prompt_template import FewShot, PromptTemplate
        from edison.pipeline.render.template import Syntax, find_missing

        template = PromptTemplate(
            text=self.text,
            system=self.system,
            few_shots=tuple(
                FewShot(user=each["user"], assistant=each["assistant"]) for each in self.few_shots
            ),
            syntax=Syntax(self.syntax),
        )
        missing = find_missing(template.required_variables(), values)
        if missing:
            raise ValueError(f"The prompt {self.name} needs {', '.join(missing)}.")
        try:
            rendered = template.render(values)
        except TemplateError as wrong:
            raise ValueError(f"The prompt {self.name} cannot be rendered: {wrong}") from wrong
        system = [] if rendered.system is None else [{"role": "system", "content": rendered.system}]
        return [*system, *({"role": m.role, "content": m.text} for m in rendered.messages)]


@dataclass(slots=True)
class _KeptPrompt:
    prompt: Prompt
    etag: str | None
    asked_at: float


@dataclass(slots=True)
class _Cache:
    lock: threading.Lock = field(default_factory=threading.Lock)
    kept: dict[tuple[str, str | None, str, str], _KeptPrompt] = field(default_factory=dict)
    failed_until: dict[tuple[str, str | None, str, str], float] = field(default_factory=dict)


_cache = _Cache()


def prompt(
    name: str,
    *,
    label: str = "production",
    fallback: str | Prompt | None = None,
    max_age_seconds: float = 60.0,
    client: Client | None = None,
) -> Prompt:
    """The version of a prompt with this label: `production`, `latest`, or one such as `v3`.

    Asks the server at most every `max_age_seconds`. When it does not answer, returns what was
    cached, however old, or else the fallback. Raises ApiError when there is neither, or no such
    prompt.
    """
    asked = client or default_client()
    key = (asked.url, asked.project, name, label)
    with _cache.lock:
        kept, failed_until = _cache.kept.get(key), _cache.failed_until.get(key, 0.0)
    now = time.monotonic()
    if kept is not None and (now - kept.asked_at < max_age_seconds or now < failed_until):
        return kept.prompt
    if kept is None and fallback is not None and now < failed_until:
        return _fallback(name, fallback)
    try:
        found = _ask(asked, name, label, kept)
    except ApiError as failed:
        if failed.status == _NOT_FOUND and fallback is None:
            raise
        with _cache.lock:
            _cache.failed_until[key] = now + _RETRY_SECONDS
        if kept is not None and failed.status != _NOT_FOUND:
            return kept.prompt
        if fallback is None:
            raise
        return _fallback(name, fallback)
    found.asked_at = now
    with _cache.lock:
        _cache.kept[key] = found
        _cache.failed_until.pop(key, None)
    return found.prompt


async def prompt_async(name: str, **options: Any) -> Prompt:
    """`prompt` for programs with an event loop, which it does not block."""
    return await asyncio.to_thread(prompt, name, **options)


def forget_prompts() -> None:
    """Empties the cache."""
    with _cache.lock:
        _cache.kept.clear()
        _cache.failed_until.clear()


def _ask(client: Client, name: str, label: str, kept: _KeptPrompt | None) -> _KeptPrompt:
    path = f"/prompts/by-name/{quote(name, safe='')}/{quote(label, safe='')}"
    headers = {"If-None-Match": kept.etag} if kept is not None and kept.etag else {}
    body, answered = client.exchange("GET", path, headers=headers)
    if body is None and kept is not None:
        return _KeptPrompt(kept.prompt, kept.etag, 0.0)
    etag = next((each for key, each in answered.items() if key.lower() == "etag"), None)
    found = Prompt(
        name=name,
        text=body["text"],
        version=body["label"],
        system=body["system"],
        syntax=body["syntax"],
        few_shots=tuple(body["few_shots"]),
        variables=tuple(body["variables"]),
    )
    return _KeptPrompt(found, etag, 0.0)


def _fallback(name: str, given: str | Prompt) -> Prompt:
    return given if isinstance(given, Prompt) else Prompt(name=name, text=given, is_fallback=True)
