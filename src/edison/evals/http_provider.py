"""Providers that are an HTTP address: the request is a template, the answer is read by code.

Only the command line asks them: an address of a configuration is asked with the rights and from the
network of the person who starts the command.
"""

import asyncio
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from edison.evals.errors import ConfigError
from edison.evals.plan import EvalProvider
from edison.pipeline.generate.local_functions import LocalAnswer, LocalFunction
from edison.pipeline.render.nunjucks.javascript import UNDEFINED, to_json
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.nunjucks.template import render_nunjucks
from edison.pipeline.score.sandbox.javascript import (
    JavaScriptFailed,
    JavaScriptFunction,
    run_javascript,
)

_SECONDS = 300
_LONGEST_ANSWER = 10_000_000
_LONGEST_ERROR = 500
_AT_ONCE = 64
_NAMES = ("json", "text", "context")
_CALLED = "typeof found === 'function' ? found(json, text, context) : found"


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would take headers with keys to another address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_opener = build_opener(_NoRedirects)


def address_of(provider: EvalProvider) -> str:
    """Raises ConfigError."""
    found = provider.config.get("url") or provider.id
    if not isinstance(found, str) or urlsplit(found).scheme not in ("http", "https"):
        raise ConfigError("An HTTP provider needs an address: “url”.", provider.place)
    return found


def http_function(
    provider: EvalProvider, vars_by_prompt: Mapping[str, Mapping[str, Any]]
) -> LocalFunction:
    """Raises ConfigError."""
    address_of(provider)
    code = provider.config.get("transformResponse", provider.config.get("responseParser"))
    if code is not None and (not isinstance(code, str) or code.startswith("file://")):
        raise ConfigError("“transformResponse” must be JavaScript code.", provider.place)
    threads = ThreadPoolExecutor(_AT_ONCE, "http-provider")

    async def answer(prompt: str) -> LocalAnswer:
        values = {**vars_by_prompt.get(prompt, {}), "prompt": prompt}
        try:
            request = _request(provider, values)
            loop = asyncio.get_running_loop()
            status, text = await loop.run_in_executor(threads, _send, request)
            if not 200 <= status < 300:
                return LocalAnswer(error=f"The address answered {status}: {text[:_LONGEST_ERROR]}")
            return await _read(text, code)
        except TemplateError as wrong:
            return LocalAnswer(error=f"The request cannot be rendered: {wrong}")
        except (OSError, HTTPException, ValueError) as wrong:
            return LocalAnswer(error=f"The address cannot be asked: {wrong}"[:_LONGEST_ERROR])

    return answer


def _request(provider: EvalProvider, values: Mapping[str, Any]) -> Request:
    config = provider.config
    url = render_nunjucks(address_of(provider), values)
    query = _filled(config.get("queryParams") or {}, values)
    if query:
        url += ("&" if urlsplit(url).query else "?") + urlencode(query)
    headers = {str(name): str(each) for name, each in _filled(
        config.get("headers") or {}, values).items()}  # fmt: skip
    body, content = config.get("body"), None
    if isinstance(body, str):
        content = render_nunjucks(body, values).encode()
    elif body is not None:
        content = json.dumps(_filled(body, values)).encode()
        headers.setdefault("Content-Type", "application/json")
    method = str(config.get("method") or ("GET" if content is None else "POST")).upper()
    if urlsplit(url).scheme not in ("http", "https"):
        raise ValueError("the address is not one of http or https")
    return Request(url, data=content, headers=headers, method=method)  # noqa: S310 - checked


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    """Every text is a template of its own, so that values cannot break JSON."""
    if isinstance(value, str):
        return render_nunjucks(value, values)
    if isinstance(value, Mapping):
        return {name: _filled(each, values) for name, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, values) for each in value]
    return value


def _send(request: Request) -> tuple[int, str]:
    try:
        with _opener.open(request, timeout=_SECONDS) as answer:
            content = answer.read(_LONGEST_ANSWER + 1)
            status = int(answer.status)
    except HTTPError as refused:
        with refused:
            return refused.code, refused.read(_LONGEST_ERROR).decode("utf-8", "replace")
    if len(content) > _LONGEST_ANSWER:
        raise ValueError(f"the answer has more than {_LONGEST_ANSWER:,} bytes")
    return status, content.decode("utf-8", "replace")


async def _read(text: str, code: str | None) -> LocalAnswer:
    """The answer itself, or what the code finds in it: an expression or a function."""
    try:
        parsed: Any = json.loads(text)
    except ValueError:
        parsed = None
    if code is None:
        found = text if parsed is None else parsed
    else:
        body = f"const found = ({code}); return {_CALLED};"
        given = {"json": parsed, "text": text, "context": {}}
        try:
            found = await run_javascript(JavaScriptFunction(body=body, names=_NAMES), given)
        except JavaScriptFailed as failed:
            return LocalAnswer(error=f"transformResponse failed: {failed}"[:_LONGEST_ERROR])
    if isinstance(found, dict) and found.get("error"):
        return LocalAnswer(error=str(found["error"])[:_LONGEST_ERROR])
    if isinstance(found, dict) and "output" in found and code is not None:
        found = found["output"]
    if found is None or found is UNDEFINED:
        return LocalAnswer(error="transformResponse found no answer.")
    return LocalAnswer(text=found if isinstance(found, str) else str(to_json(found)))
