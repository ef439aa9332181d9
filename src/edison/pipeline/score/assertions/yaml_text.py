"""YAML and lenient JSON in answers and values, as promptfoo reads them: YAML 1.2, unknown tags are
errors. Read in a limited worker, because the time it takes cannot be bounded beforehand.
"""

import re
from typing import Any

from edison.pipeline.render.nunjucks.javascript import JavaScriptError, parse_json, to_text
from edison.pipeline.score.assertions.model import RowError, ask_worker

_LONGEST_OBJECT = 100_000
_MOST_NODES = 100_000
# Shorter texts are searched here: asking a worker takes longer.
_SHORT = 2_000
_STANDARD = "tag:yaml.org,2002:"
_INTEGER = re.compile(r"[-+]?\d+")
_BASED = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+")
_FLOAT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


async def read_yaml(text: str) -> Any:
    """Raises RowError."""
    try:
        return parse_json(text)
    except JavaScriptError:
        answer = await ask_worker({"task": "yaml", "text": text})
    if "error" in answer:
        raise RowError("The value is not YAML.")
    return answer["value"]


async def find_json_objects(text: str) -> list[Any]:
    """Objects in a text, read leniently. Raises RowError."""
    if "{" not in text:
        return []
    if len(text) <= _SHORT:
        return find_objects(text)
    return list(await ask_worker({"task": "json_objects", "text": text}))


def read_in_worker(question: Any) -> Any:
    try:
        return {"value": load_yaml(question["text"])}
    except ValueError:
        return {"error": True}


def find_objects_in_worker(question: Any) -> Any:
    return find_objects(question["text"])


def find_objects(text: str) -> list[Any]:
    found: list[Any] = []
    at = text.find("{")
    while at != -1 and at < len(text) - 1:
        value, end = _object_at(text, at)
        if value is not None:
            found.append(value)
        at = text.find("{", end)
    return found


def _object_at(text: str, begin: int) -> tuple[Any, int]:
    """The object that begins here and where it ends; None when there is none."""
    last = min(begin + _LONGEST_OBJECT, len(text))
    depth = 0
    end = begin
    while end < last:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
        if depth == 0:
            break
    try:
        value = load_yaml(_comments_marked(text[begin:end] + "}" * depth))
    except ValueError:
        return None, begin + 1
    return (value, end) if isinstance(value, dict | list) else (None, begin + 1)


def _comments_marked(text: str) -> str:
    """`//` comments become `#` comments, except in quotes and addresses."""
    return "\n".join(map(_comment_marked, text.split("\n")))


def _comment_marked(line: str) -> str:
    quote = ""
    for at, character in enumerate(line):
        before, after = line[at - 1 : at] if at else "", line[at + 1 : at + 2]
        if quote:
            is_word = quote == "'" and after.isalpha()
            if character == quote and not _is_escaped(line, at) and not is_word:
                quote = ""
        elif character == '"' or (character == "'" and not before.isalpha()):
            quote = character
        elif line.startswith("//", at) and "://" not in line[: at + 2].rpartition(" ")[2]:
            slashes = len(line[at:]) - len(line[at:].lstrip("/"))
            return line[:at] + "#" * (slashes // 2) + line[at + slashes :]
    return line


def _is_escaped(line: str, at: int) -> bool:
    before = line[:at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def load_yaml(text: str) -> Any:
    """Raises ValueError."""
    import yaml

    try:
        return parse_json(text)
    except JavaScriptError:
        pass
    try:
        node = yaml.compose(text.replace("\t", " "), Loader=yaml.SafeLoader)
        return None if node is None else _YamlBuilder().build(node)
    except (yaml.YAMLError, RecursionError) as wrong:
        raise ValueError("not YAML") from wrong


class _YamlBuilder:
    """Makes values of YAML nodes. Aliases can make a small text endless."""

    def __init__(self) -> None:
        self._left = _MOST_NODES

    def build(self, node: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ValueError("too many nodes")
        if not node.tag.startswith(_STANDARD):
            raise ValueError("an unknown tag")
        if node.id == "scalar":
            return yaml_scalar(node.value) if node.style is None else node.value
        if node.id == "sequence":
            return [self.build(each) for each in node.value]
        if any(key.id == "mapping" and not key.value for key, _ in node.value):
            raise ValueError("an empty object as a name")
        return {to_text(self.build(key)): self.build(value) for key, value in node.value}


def yaml_scalar(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text) and len(text) < 300:
        return int(text)
    if _BASED.fullmatch(text) and len(text) < 300:
        return int(text, 0)
    return float(text) if _FLOAT.fullmatch(text) else text
