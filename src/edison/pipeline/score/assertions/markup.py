"""Assertions about HTML: a document without text around it, or hints of HTML in a text."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import unescape
from typing import Any

from edison.pipeline.render.nunjucks.javascript import STRIPPED
from edison.pipeline.score.assertions.model import AssertionVerdict, Check, Handler, computed

_ELEMENTS = frozenset((
    "html", "head", "title", "base", "link", "meta", "style", "body", "article", "section", "nav",
    "aside", "h1", "h2", "h3", "h4", "h5", "h6", "header", "footer", "address", "p", "hr", "pre",
    "blockquote", "ol", "ul", "li", "dl", "dt", "dd", "figure", "figcaption", "main", "div", "a",
    "em", "strong", "small", "s", "cite", "q", "dfn", "abbr", "ruby", "rt", "rp", "data", "time",
    "code", "var", "samp", "kbd", "sub", "sup", "i", "b", "u", "mark", "bdi", "bdo", "span", "br",
    "wbr", "img", "iframe", "embed", "object", "param", "picture", "source", "video", "audio",
    "track", "map", "area", "svg", "math", "script", "noscript", "canvas", "ins", "del", "table",
    "caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr", "td", "th", "form", "label",
    "input", "button", "select", "datalist", "optgroup", "option", "textarea", "output",
    "progress", "meter", "fieldset", "legend", "details", "summary", "dialog", "menu", "slot",
    "template",
))  # fmt: skip
_VOID = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
))  # fmt: skip
_WRAPPERS = frozenset({"html", "head", "body"})
# Text in these is moved in front of the table.
_TABLE_PARTS = frozenset({"table", "tbody", "thead", "tfoot", "tr"})
_CLOSES_PARAGRAPH = frozenset((
    "address", "article", "aside", "blockquote", "details", "dialog", "div", "dl", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "ul",
))  # fmt: skip
# Each hint and how many of the two needed ones it is. Searched in linear time.
_HINTS: Sequence[tuple[str, int]] = (
    (r"<[a-zA-Z][a-zA-Z0-9-]*(?:\s[^>]*)?>", 1),
    (r"</[a-zA-Z][a-zA-Z0-9-]*\s*>", 1),
    (r"<[a-zA-Z][a-zA-Z0-9-]*(?:\s[^>]*)?/>", 1),
    (r"&(?:[a-zA-Z]+|#[0-9]+|#x[0-9a-fA-F]+);", 1),
    (r"(?i)<!DOCTYPE\s+html", 2),
    (r"<!--[^-]*(?:-[^-]+)*-->", 1),
    (r"\s[a-zA-Z-]+=\s*[\"'][^\"']*[\"']", 1),
    (
        r"(?i)<(html|head|body|div|span|p|a|img|h[1-6]|ul|ol|li|table|tr|td|th|form|input|button"
        r"|script|style|link|meta|br|hr)\b",
        2,
    ),
)
_LONGEST = 200_000
_DEEPEST = 100
_RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noframes"})
_TAG_START = re.compile(r"</?[a-zA-Z]")
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)[^>]*>")
_COMMENT_START = re.compile(r"<!|<\?|</[^a-zA-Z]")


class _Outline:
    """Finds out whether there are elements of HTML, and text outside of all of them."""

    def __init__(self) -> None:
        self.has_element = False
        self.has_body = False
        self.has_outer_text = False
        self._open: list[str] = []

    def start(self, tag: str) -> None:
        self.has_element = self.has_element or tag in _ELEMENTS or "-" in tag
        self.has_body = self.has_body or tag == "body"
        if tag in _CLOSES_PARAGRAPH and "p" in self._open:
            self._close("p")
        if tag not in _VOID and tag not in _WRAPPERS:
            self._open.append(tag)
            # Deeper levels change nothing, and would take time to search.
            del self._open[_DEEPEST:]

    def end(self, tag: str) -> None:
        if tag in self._open:
            self._close(tag)

    def _close(self, tag: str) -> None:
        while self._open.pop() != tag:
            pass

    def text(self, text: str) -> None:
        is_outer = not self._open or _TABLE_PARTS.issuperset(self._open)
        self.has_outer_text = self.has_outer_text or (is_outer and bool(unescape(text).strip()))


def _read(text: str, outline: _Outline) -> None:
    """Reads a text from tag to tag in one pass. A tag that does not end is left out, with all that
    follows it.
    """
    lowered = text.lower()
    position = 0
    while (found := text.find("<", position)) != -1:
        outline.text(text[position:found])
        if _COMMENT_START.match(text, found):
            ending = "-->" if text.startswith("<!--", found) else ">"
            end = text.find(ending, found + 2)
            position = len(text) if end == -1 else end + len(ending)
            continue
        tag = _TAG.match(text, found)
        if tag is None:
            if _TAG_START.match(text, found):
                return
            outline.text("<")
            position = found + 1
            continue
        position = _read_tag(tag, lowered, outline)
    outline.text(text[position:])


def _read_tag(tag: re.Match[str], lowered: str, outline: _Outline) -> int:
    """Where the text after the tag begins: after that of scripts and the like."""
    name = tag[2].lower()
    if tag[1]:
        outline.end(name)
        return tag.end()
    outline.start(name)
    if name not in _RAW:
        return tag.end()
    end = lowered.find(f"</{name}", tag.end())
    return len(lowered) if end == -1 else end


def is_html(text: str) -> bool:
    text = text.strip(STRIPPED)
    if not text or len(text) > _LONGEST or re.match(r"<\?xml", text, re.IGNORECASE):
        return False
    outline = _Outline()
    _read(text, outline)
    return outline.has_element and (outline.has_body or not outline.has_outer_text)


def contains_html(text: str) -> bool:
    text = text[:_LONGEST].encode("utf-8", "replace").decode()
    return sum(weight for pattern, weight in _patterns() if pattern.search(text)) >= 2


@cache
def _patterns() -> Sequence[tuple[Any, int]]:
    import re2  # type: ignore[import-untyped] # has no types

    return [(re2.compile(pattern), weight) for pattern, weight in _HINTS]


def _is_html(check: Check) -> AssertionVerdict:
    return check.decide(is_html(check.text), "The answer is not, or may not be, HTML alone.")


def _contains_html(check: Check) -> AssertionVerdict:
    return check.decide(contains_html(check.text), "There is no HTML in the answer, or there is.")


HANDLERS: Mapping[str, Handler] = {
    "is-html": computed(_is_html),
    "contains-html": computed(_contains_html),
}
