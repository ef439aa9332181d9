"""Filters of templates: `value | name(arguments)`. Filters of numbers and lists are in
`list_filters`.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from edison.pipeline.render.nunjucks.budget import RenderBudget
from edison.pipeline.render.nunjucks.javascript import (
    STRIPPED,
    UNDEFINED,
    JavaScriptError,
    SafeText,
    cut,
    is_absent,
    is_number,
    is_true,
    length_of,
    parse_json,
    to_json,
    to_number,
    to_text,
)
from edison.pipeline.render.nunjucks.list_filters import LIST_FILTERS, Arguments
from edison.pipeline.render.nunjucks.patterns import Pattern

__all__ = ["FILTERS", "SHALLOW", "Arguments"]

_TAGS = re.compile(r"</?([a-z][a-z0-9]*)\b[^>]*>|<!--[\s\S]*?-->", re.IGNORECASE | re.ASCII)
_HTML = {"&": "&amp;", '"': "&quot;", "'": "&#39;", "<": "&lt;", ">": "&gt;", "\\": "&#92;"}
_WORDS = re.compile(r"\w+", re.ASCII)
_PUNCTUATION = re.compile(r"(?:\(|<|&lt;)?(.*?)(?:\.|,|\)|\n|&gt;)?", re.DOTALL)
_EMAIL = re.compile(
    r"[\w.!#$%&'*+\-/=?^`{|}~]+@[a-z\d\-]+(\.[a-z\d\-]+)+", re.IGNORECASE | re.ASCII
)
_DOMAIN = re.compile(r"\.(?:org|net|com)(?::|/|$)")
_UNESCAPED = "-_.!~*'()"


def _required(value: Any, name: str) -> str:
    """A text, or what JavaScript throws when a method of texts is called on something else."""
    if is_absent(value) or value is False:
        return ""
    if not isinstance(value, str):
        raise JavaScriptError(f"{name}: not a text")
    return value


def _kept(source: Any, text: str) -> str:
    """A text stays safe when it was."""
    return SafeText(text) if isinstance(source, SafeText) else text


def _capitalize(budget: RenderBudget, value: Any) -> str:
    text = _required(value, "capitalize").lower()
    return _kept(value, text[:1].upper() + text[1:])


def _title(budget: RenderBudget, value: Any) -> str:
    words = _required(value, "title").split(" ")
    return _kept(value, " ".join(_capitalize(budget, word) for word in words))


def _center(budget: RenderBudget, value: Any, width: Any = UNDEFINED) -> Any:
    text = _required(value, "center")
    wanted = to_number(width) if is_true(width) else 80
    spaces = wanted - length_of(text)
    if spaces <= 0:
        return text
    budget.text(spaces)
    before = " " * _repeats(spaces / 2 - spaces % 2)
    return _kept(value, before + text + " " * _repeats(spaces / 2))


def _repeats(count: float) -> int:
    """JavaScript's loop from 0 to a broken number."""
    return max(0, int(count) + (1 if count % 1 else 0))


def _default(
    budget: RenderBudget, value: Any, other: Any = UNDEFINED, is_for_false: Any = False
) -> Any:
    if is_true(is_for_false):
        return value if is_true(value) else other
    return other if value is UNDEFINED else value


def _dump(budget: RenderBudget, value: Any, spaces: Any = UNDEFINED) -> Any:
    indent = ""
    if is_number(spaces):
        indent = " " * max(0, min(10, int(spaces)))
    elif isinstance(spaces, str):
        indent = spaces[:10]
    return to_json(value, indent)


def _escaped(text: str) -> SafeText:
    return SafeText("".join(_HTML.get(each, each) for each in text))


def _escape(budget: RenderBudget, value: Any) -> str:
    if isinstance(value, SafeText):
        return value
    return _escaped("" if is_absent(value) else to_text(value))


def _force_escape(budget: RenderBudget, value: Any) -> str:
    return _escaped("" if is_absent(value) else to_text(value))


def _safe(budget: RenderBudget, value: Any) -> str:
    return SafeText("" if is_absent(value) else to_text(value))


def _indent(budget: RenderBudget, value: Any, width: Any = UNDEFINED, is_first: Any = False) -> str:
    text = _required(value, "indent")
    if not text:
        return ""
    lines = text.split("\n")
    spaces = to_number(width) if is_true(width) else 4
    budget.text(len(text) + len(lines) * max(0, spaces))
    blank = " " * max(0, int(spaces))
    made = [
        line if at == 0 and not is_true(is_first) else blank + line for at, line in enumerate(lines)
    ]
    return _kept(value, "\n".join(made))


def _breaks(budget: RenderBudget, value: Any) -> str:
    if is_absent(value):
        return ""
    text = _required(value, "nl2br")
    budget.text(len(text) + 6 * text.count("\n"))
    return _kept(value, re.sub(r"\r\n|\n", "<br />\n", text))


def _replace(
    budget: RenderBudget,
    value: Any,
    old: Any = UNDEFINED,
    new: Any = UNDEFINED,
    most: Any = UNDEFINED,
) -> Any:
    if isinstance(old, Pattern):
        return old.replace(to_text(value), to_text(new), budget)
    text = to_text(value) if is_number(value) else value
    searched = to_text(old) if is_number(old) else old
    if not isinstance(text, str) or not isinstance(searched, str):
        return value
    count = -1 if most is UNDEFINED else int(to_number(most))
    replacement = to_text(new)
    times = len(text) + 1 if not searched else text.count(searched)
    budget.text(len(text) + times * len(replacement))
    return _kept(value, text.replace(searched, replacement, -1 if not searched else count))


def _string(budget: RenderBudget, value: Any) -> Any:
    if is_absent(value):
        raise JavaScriptError("string: there is no value")
    return _kept(value, to_text(value))


def _strip_tags(budget: RenderBudget, value: Any, keeps_lines: Any = False) -> str:
    text = _TAGS.sub("", _required(value, "striptags")).strip(STRIPPED)
    if is_true(keeps_lines):
        text = re.sub(r"^ +| +$", "", text, flags=re.MULTILINE)
        text = re.sub(r" +", " ", text).replace("\r\n", "\n")
        text = re.sub(r"\n\n\n+", "\n\n", text)
    else:
        text = re.sub(r"\s+", " ", text)
    return _kept(value, text)


def _trim(budget: RenderBudget, value: Any) -> str:
    if is_absent(value) or not isinstance(value, str):
        raise JavaScriptError("trim: not a text")
    return _kept(value, value.strip(STRIPPED))


def _truncate(
    budget: RenderBudget,
    value: Any,
    length: Any = UNDEFINED,
    kills_words: Any = False,
    end: Any = UNDEFINED,
) -> str:
    text = _required(value, "truncate")
    most = int(to_number(length)) if is_true(length) else 255
    if length_of(text) <= most:
        return text
    position = most
    if not is_true(kills_words):
        found = text.rfind(" ", 0, most + 1)
        position = most if found == -1 else found
    ending = "..." if is_absent(end) else to_text(end)
    return _kept(value, cut(text, 0, position) + ending)


def _url_encode(budget: RenderBudget, value: Any) -> str:
    if isinstance(value, str):
        return quote(value, safe=_UNESCAPED)
    pairs = value.items() if isinstance(value, dict) else value
    if not isinstance(value, dict | list):
        raise JavaScriptError("urlencode: not a text, list or object")
    encoded = (
        f"{quote(to_text(pair[0]), safe=_UNESCAPED)}={quote(to_text(pair[1]), safe=_UNESCAPED)}"
        for pair in pairs
    )
    return "&".join(encoded)


def _urlize(
    budget: RenderBudget, value: Any, length: Any = UNDEFINED, nofollow: Any = False
) -> str:
    text = _required(value, "urlize")
    budget.text(3 * len(text))
    most = int(to_number(length)) if is_number(length) else len(text)
    mark = ' rel="nofollow"' if nofollow is True else ""
    return "".join(_linked(word, most, mark) for word in re.split(r"(\s+)", text) if word)


def _linked(word: str, most: int, mark: str) -> str:
    found = _PUNCTUATION.fullmatch(word)
    address = found[1] if found else word
    shown = address[:most]
    if address.startswith(("http://", "https://")):
        return f'<a href="{address}"{mark}>{shown}</a>'
    if address.startswith("www."):
        return f'<a href="http://{address}"{mark}>{shown}</a>'
    if _EMAIL.fullmatch(address):
        return f'<a href="mailto:{address}">{address}</a>'
    if _DOMAIN.search(address):
        return f'<a href="http://{address}"{mark}>{shown}</a>'
    return word


def _word_count(budget: RenderBudget, value: Any) -> Any:
    return len(_WORDS.findall(_required(value, "wordcount"))) or None


def _load(budget: RenderBudget, value: Any) -> Any:
    """promptfoo's own filter: JSON as a value."""
    return parse_json(to_text(value))


# Filters that do not look into a list or an object.
SHALLOW = frozenset({"d", "default", "first", "last", "length", "list", "random"})
FILTERS: Mapping[str, Callable[..., Any]] = {
    **LIST_FILTERS,
    "capitalize": _capitalize,
    "center": _center,
    "d": _default,
    "default": _default,
    "dump": _dump,
    "e": _escape,
    "escape": _escape,
    "forceescape": _force_escape,
    "indent": _indent,
    "load": _load,
    "lower": lambda budget, value: _required(value, "lower").lower(),
    "nl2br": _breaks,
    "replace": _replace,
    "safe": _safe,
    "string": _string,
    "striptags": _strip_tags,
    "title": _title,
    "trim": _trim,
    "truncate": _truncate,
    "upper": lambda budget, value: _required(value, "upper").upper(),
    "urlencode": _url_encode,
    "urlize": _urlize,
    "wordcount": _word_count,
}
