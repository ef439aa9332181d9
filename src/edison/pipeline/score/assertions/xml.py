"""Assertions about XML, with the elements that it must have as paths: `analysis.color`."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from xml.parsers import expat

from edison.pipeline.render.nunjucks.javascript import to_text
from edison.pipeline.score.assertions.model import (
    AssertionVerdict,
    Check,
    Handler,
    RowError,
    computed,
)

_NAME = r"[:_A-Za-z\u00c0-\u02ff\u0370-\u1fff\u2c00-\ud7ff][\w:.\u00b7-]*"
_ATTRIBUTE = re.compile(r"([^\s=/\"'<>]+)(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'))?")
_LONGEST = 200_000

Tree = dict[str, Any]


@cache
def _tag() -> re.Pattern[str]:
    """Compiled at its first use: a pattern with thousands of letters takes milliseconds."""
    return re.compile(
        rf"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<![^>]*(?:>|\Z)"
        rf"|<(?P<close>/)?(?P<name>{_NAME})(?P<rest>(?:\"[^\"]*\"|'[^']*'|[^\"'<>])*)>",
        re.DOTALL,
    )


class _NotXml(Exception):
    """The text is not well-formed, or has declarations of its own."""


class _XmlBuilder:
    """Elements as objects: children by name, repeated ones in lists, attributes as `@_name`."""

    def __init__(self) -> None:
        self.root: Tree = {}
        self._open: list[tuple[str, Tree, list[str]]] = [("", self.root, [])]

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._open.append((name, {f"@_{each}": True for each in attributes}, []))

    def text(self, text: str) -> None:
        self._open[-1][2].append(text)

    def end(self, _name: str) -> None:
        name, children, texts = self._open.pop()
        text = "".join(texts).strip()
        value: Any = children
        if not children:
            value = text
        elif text:
            children["#text"] = text
        parent = self._open[-1][1]
        if name not in parent:
            parent[name] = value
        elif isinstance(parent[name], list):
            parent[name].append(value)
        else:
            parent[name] = [parent[name], value]


def _parsed(text: str) -> Tree:
    """Raises _NotXml."""
    builder = _XmlBuilder()
    parser = expat.ParserCreate()
    checker = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    parser.StartDoctypeDeclHandler = _check_doctype
    checker.StartDoctypeDeclHandler = _check_doctype
    try:
        for each in (checker, parser):
            each.Parse(text.encode("utf-8", "replace"), True)
    except (expat.ExpatError, ValueError) as wrong:
        raise _NotXml(str(wrong)) from wrong
    if re.match(r"<\?xml\s", text):
        builder.root["?xml"] = {}
    return builder.root


def _check_doctype(_name: str, _system: str | None, _public: str | None, has_own: int) -> None:
    """Declarations inside of the text could make a small text endless."""
    if has_own:
        raise _NotXml("Declarations inside of the document are not supported.")


def _loosely_parsed(text: str) -> Tree:
    """Elements of a part whose tags are known to be balanced; entities and attributes may be
    wrong.
    """
    builder = _XmlBuilder()
    position = 0
    for found in _tag().finditer(text):
        builder.text(text[position : found.start()])
        position = found.end()
        if not found["name"]:
            continue
        if found["close"]:
            builder.end(found["name"])
            continue
        rest = found["rest"].rstrip()
        names = [each[1] for each in _ATTRIBUTE.finditer(rest.removesuffix("/"))]
        builder.start(found["name"], dict.fromkeys(names, ""))
        if rest.endswith("/"):
            builder.end(found["name"])
    return builder.root


def _has_path(tree: Any, path: str) -> bool:
    for key in path.split("."):
        if isinstance(tree, list):
            if not re.fullmatch(r"0|[1-9]\d{0,5}", key) or int(key) >= len(tree):
                return False
            tree = tree[int(key)]
        elif isinstance(tree, dict) and key in tree:
            tree = tree[key]
        else:
            return False
    return True


def _required(value: Any) -> list[str]:
    if isinstance(value, str):
        return [each.strip() for each in value.split(",")]
    if isinstance(value, dict) and value:
        if not isinstance(value.get("requiredElements"), list):
            raise RowError("The value must be a text, a list or have requiredElements.")
        value = value["requiredElements"]
    return [to_text(each) for each in value] if isinstance(value, list) else []


def _elements(text: str) -> Iterator[tuple[int, int]]:
    """Complete elements that are in no other complete one. A closing tag that does not fit the last
    opening one forgets all that are open.
    """
    complete: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for found in _tag().finditer(text):
        if not found["name"]:
            continue
        begin = found.start()
        if not found["close"]:
            if not found["rest"].rstrip().endswith("/"):
                opened.append((found["name"], begin))
                continue
        elif opened and opened[-1][0] == found["name"]:
            begin = opened.pop()[1]
        else:
            opened.clear()
            continue
        while complete and complete[-1][0] > begin:
            complete.pop()
        complete.append((begin, found.end()))
    yield from complete


def contains_xml(text: str, required: list[str]) -> bool:
    """Whether the elements together, or one of them, have all required ones."""
    elements = list(_elements(text[:_LONGEST]))
    trees = [_loosely_parsed(text[begin:end]) for begin, end in elements]
    if len(elements) > 1:
        trees.insert(0, _loosely_parsed(text[elements[0][0] : elements[-1][1]]))
    return any(all(_has_path(tree, path) for path in required) for tree in trees)


def is_xml(text: str, required: list[str]) -> bool:
    if len(text) > _LONGEST:
        return False
    try:
        tree = _parsed(text)
    except _NotXml:
        return False
    return all(_has_path(tree, path) for path in required)


def _is_xml(check: Check) -> AssertionVerdict:
    is_fit = is_xml(check.text, _required(check.value))
    return check.decide(is_fit, "The answer is not, or may not be, XML with the required elements.")


def _contains_xml(check: Check) -> AssertionVerdict:
    is_fit = contains_xml(check.text, _required(check.value))
    return check.decide(is_fit, "There is no XML with the required elements, or there is.")


HANDLERS: Mapping[str, Handler] = {
    "is-xml": computed(_is_xml),
    "contains-xml": computed(_contains_xml),
}
