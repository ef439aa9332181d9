"""Nunjucks templates, rendered as promptfoo does: no escaping of HTML, no other files.

The language is interpreted here and not run as JavaScript: a render is bounded in steps and size,
needs no other process, and cannot reach anything but its values. Left out are methods that take
functions, and templates in other files (`include`, `extends`, `import`).
"""

import re
from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any

from edison.pipeline.render.nunjucks import nodes
from edison.pipeline.render.nunjucks.budget import RenderBudget
from edison.pipeline.render.nunjucks.globals import GLOBALS
from edison.pipeline.render.nunjucks.interpreter import Interpreter
from edison.pipeline.render.nunjucks.javascript import JavaScriptError, is_absent, to_text
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.nunjucks.names import free_names
from edison.pipeline.render.nunjucks.parser import parse_template

_LONGEST_TEMPLATE = 1_000_000
_TAG = re.compile(r"\{[{%#]|#\}")
_PLAIN = re.compile(r"\{\{[ \t]*([A-Za-z_]\w*)[ \t]*\}\}", re.ASCII)
_WORDS = {"true", "false", "none", "null", "not", "env", *GLOBALS}


def render_nunjucks(
    text: str,
    values: Mapping[str, Any],
    *,
    env: Mapping[str, Any] | None = None,
    budget: RenderBudget | None = None,
) -> str:
    """Raises TemplateError."""
    pieces = _plain_pieces(text)
    if pieces is not None:
        return "".join(
            piece if at % 2 == 0 else _shown(values.get(piece)) for at, piece in enumerate(pieces)
        )
    try:
        # Methods such as `reverse` change their list.
        given = deepcopy(dict(values)) if "(" in text else values
        interpreter = Interpreter(given, budget or RenderBudget(), env or {})
        return interpreter.render(parse_nunjucks(text))
    except JavaScriptError as thrown:
        raise TemplateError(str(thrown)) from thrown
    except RecursionError as deep:
        raise TemplateError("The template is nested too deeply.") from deep


def _shown(value: Any) -> str:
    return "" if is_absent(value) else to_text(value)


@lru_cache(maxsize=512)
def parse_nunjucks(text: str) -> nodes.Body:
    """Raises TemplateError."""
    if len(text) > _LONGEST_TEMPLATE:
        raise TemplateError("The template is too long.")
    return parse_template(text)


def nunjucks_names(text: str) -> list[str]:
    """The variables that the template reads, in order of first use. Raises TemplateError."""
    return free_names(parse_nunjucks(text))


@lru_cache(maxsize=512)
def _plain_pieces(text: str) -> tuple[str, ...] | None:
    """Texts and names in turn, if the template has nothing but names to fill in."""
    pieces = tuple(_PLAIN.split(text))
    if any(_TAG.search(piece) for piece in pieces[::2]):
        return None
    return None if _WORDS.intersection(pieces[1::2]) else pieces
