"""Assertions about HTML: a document without text around it, or hints of HTML in a text."""

import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser

from edison.pipeline.score.assertions.model import Check, Handler, Verdict, instantly

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
_COMMON_TAG = re.compile(
    r"<(html|head|body|div|span|p|a|img|h[1-6]|ul|ol|li|table|tr|td|th|form|input|button|script"
    r"|style|link|meta|br|hr)\b",
    re.IGNORECASE | re.ASCII,
)
_OPENING = re.compile(r"<[a-zA-Z][a-zA-Z0-9-]*(?:\s[^>]*)?>")
_CLOSING = re.compile(r"</[a-zA-Z][a-zA-Z0-9-]*\s*>")
# Each hint and how many of the two needed ones it is.
_HINTS: Sequence[tuple[re.Pattern[str], int]] = (
    (re.compile(r"<[a-zA-Z][a-zA-Z0-9-]*(?:\s[^>]*)?/>"), 1),
    (re.compile(r"&(?:[a-zA-Z]+|#[0-9]+|#x[0-9a-fA-F]+);"), 1),
    (re.compile(r"<!DOCTYPE\s+html", re.IGNORECASE), 2),
    (re.compile(r"<!--[^-]*(?:-[^-]+)*-->"), 1),
    (re.compile(r"\s[a-zA-Z-]+=\s*[\"'][^\"']*[\"']"), 1),
    (_COMMON_TAG, 2),
)
_LONGEST = 200_000


class _Outline(HTMLParser):
    """Finds out whether there are elements of HTML, and text outside of all of them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.has_element = False
        self.has_body = False
        self.has_outer_text = False
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.has_element = self.has_element or tag in _ELEMENTS or "-" in tag
        self.has_body = self.has_body or tag == "body"
        if tag in _CLOSES_PARAGRAPH and "p" in self._open:
            self._close("p")
        if tag not in _VOID and tag not in _WRAPPERS:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            self._close(tag)
        elif tag in {"p", "br"}:
            self.has_element = True

    def _close(self, tag: str) -> None:
        while self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        is_outer = not self._open or set(self._open) <= _TABLE_PARTS
        self.has_outer_text = self.has_outer_text or (is_outer and bool(data.strip()))


def is_html(text: str) -> bool:
    text = text.strip()
    if not text or len(text) > _LONGEST or re.match(r"<\?xml", text, re.IGNORECASE):
        return False
    outline = _Outline()
    outline.feed(text)
    outline.close()
    return outline.has_element and (outline.has_body or not outline.has_outer_text)


def contains_html(text: str) -> bool:
    text = text[:_LONGEST]
    hints = sum(1 for pattern in (_OPENING, _CLOSING) if pattern.search(text))
    hints += sum(weight for pattern, weight in _HINTS if pattern.search(text))
    return hints >= 2


def _is_html(check: Check) -> Verdict:
    return check.decide(is_html(check.text), "The answer is not, or may not be, HTML alone.")


def _contains_html(check: Check) -> Verdict:
    return check.decide(contains_html(check.text), "There is no HTML in the answer, or there is.")


HANDLERS: Mapping[str, Handler] = {
    "is-html": instantly(_is_html),
    "contains-html": instantly(_contains_html),
}
