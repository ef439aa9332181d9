r"""Renders prompts as promptfoo does.

- One line break at the end of a value is dropped.
- Values are templates too, once, unless they use a variable that has no value. `{{name}}` in a
  value is replaced first, up to five times over.
- A prompt that is JSON is rendered inside its texts, not its keys, and written with two spaces of
  indentation.
- A prompt with a tag that is opened and not closed is plain text.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from edison.pipeline.render.nunjucks.budget import RenderBudget
from edison.pipeline.render.nunjucks.javascript import (
    UNDEFINED,
    JavaScriptError,
    parse_json,
    to_json,
    to_text,
)
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.nunjucks.template import render_nunjucks

_REFERENCE = re.compile(r"\{\{\s*(\w+)\s*\}\}", re.ASCII)
_MOST_ROUNDS = 5
_LONGEST_VALUE = 5_000_000
_OPEN_TAG = re.compile(r"\{%[^%]*$|\{\{[^}]*$|\{#[^#]*$", re.MULTILINE)
_RAW, _END_RAW = re.compile(r"\{%\s*raw\s*%\}"), re.compile(r"\{%\s*endraw\s*%\}")
_USED = re.compile(r"\{\{\s*([^{}\s|]+)\s*(?:\|[^}]+)?\}\}|\{%\s*(?:if|for)\s+([^{}\s]+)\s*.*?%\}")
_LOOP = re.compile(r"\{%\s*for\s+(\w+)\s+in\s+(\w+)\s*%\}", re.ASCII)
_COMMENT = re.compile(r"\{#[\s\S]*?#\}")
_ROOT = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def render_promptfoo(
    prompt: str, values: Mapping[str, Any], *, env: Mapping[str, Any] | None = None
) -> str:
    """Raises TemplateError."""
    return PromptfooRenderer(values, env=env).render(prompt)


class PromptfooRenderer:
    """Renders several texts with the same values, all within one budget. With
    `has_plain_values` the values are data and never templates.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        *,
        env: Mapping[str, Any] | None = None,
        has_plain_values: bool = False,
    ) -> None:
        """Raises TemplateError."""
        self._env = env
        self._budget = RenderBudget()
        self._has_plain_values = has_plain_values
        self._given = dict(values) if has_plain_values else _resolved(_stripped(values))

    def render(self, prompt: str) -> str:
        """A prompt, which may be JSON. Raises TemplateError."""
        try:
            parsed = parse_json(prompt)
            return str(to_json(self._filled(parsed), "  "))
        except (JavaScriptError, TemplateError):
            return self.render_text(prompt)

    def render_text(self, text: str) -> str:
        """A text that is not JSON, or need not stay so. Raises TemplateError."""
        return self._nunjucks(_as_text_if_open(text), self._rendered)

    @cached_property
    def _rendered(self) -> Mapping[str, Any]:
        if self._has_plain_values:
            return self._given
        return {name: self._rendered_value(each) for name, each in self._given.items()}

    def _rendered_value(self, value: Any) -> Any:
        if not isinstance(value, str) or _uses_missing(value, self._given):
            return value
        return self._nunjucks(_as_text_if_open(value), self._given)

    def _filled(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._nunjucks(value, self._given)
        if isinstance(value, list):
            return [self._filled(each) for each in value]
        if isinstance(value, dict):
            return {name: self._filled(each) for name, each in value.items()}
        return value

    def _nunjucks(self, text: str, values: Mapping[str, Any]) -> str:
        return render_nunjucks(text, values, env=self._env, budget=self._budget)


def resolved_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values with references to other values filled in, as assertions see them. Raises
    TemplateError.
    """
    return _resolved(_stripped(values))


def template_texts(prompt: str) -> list[str]:
    """The Nunjucks templates in a prompt: one for each text of a prompt that is JSON."""
    try:
        return list(_texts_in(parse_json(prompt)))
    except JavaScriptError:
        return [_as_text_if_open(prompt)]


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    members = value.values() if isinstance(value, dict) else value
    if isinstance(value, dict | list):
        for each in members:
            yield from _texts_in(each)


def _stripped(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value.removesuffix("\n") if isinstance(value, str) else value
        for name, value in values.items()
    }


def _resolved(values: dict[str, Any]) -> dict[str, Any]:
    for _ in range(_MOST_ROUNDS):
        is_changed = False
        for name, value in values.items():
            found = _REFERENCE.search(value) if isinstance(value, str) else None
            if found is None or values.get(found[1], UNDEFINED) is UNDEFINED:
                continue
            made = value[: found.start()] + to_text(values[found[1]]) + value[found.end() :]
            if len(made) > _LONGEST_VALUE:
                raise TemplateError("The values are too long.")
            values[name] = made
            is_changed = True
        if not is_changed:
            break
    return values


def _uses_missing(text: str, values: Mapping[str, Any]) -> bool:
    text = _COMMENT.sub("", text)
    used = {found[1] or found[2] for found in _USED.finditer(text)}
    for loop in _LOOP.finditer(text):
        used.discard(loop[1])
        used.add(loop[2])
    roots = (found[0] for each in used if (found := _ROOT.match(each)))
    return any(root != "env" and values.get(root, UNDEFINED) is UNDEFINED for root in roots)


def _as_text_if_open(text: str) -> str:
    is_raw = _RAW.search(text) and _END_RAW.search(text)
    if _OPEN_TAG.search(text) and not is_raw:
        return "{% raw %}" + text + "{% endraw %}"
    return text
