"""YAML and JSON files with the places of their values: YAML 1.2, as promptfoo reads it.

`$ref` is resolved against the whole file, or against another file. Texts with `{{env.NAME}}` are
filled in where the variable is set.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from edison.evals.errors import ConfigError, Place, place_of
from edison.pipeline.render.nunjucks.javascript import to_text
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.nunjucks.template import render_nunjucks
from edison.pipeline.score.assertions.yaml_text import yaml_scalar

_STANDARD = "tag:yaml.org,2002:"
_MERGE = "<<"
_MOST_NODES = 2_000_000
_ENVIRONMENT = re.compile(r"\{\{-?\s*env(?:\.(\w+)|\[['\"](\w+)['\"]\])[^{}]*\}\}", re.ASCII)


class LocatedObject(dict[str, Any]):
    """An object of a file. `members` are the places of its names."""

    def __init__(self, values: Mapping[str, Any], place: Place, members: Mapping[str, Place]):
        super().__init__(values)
        self.place = place
        self.members = members


class LocatedList(list[Any]):
    """A list of a file."""

    def __init__(self, values: Sequence[Any], place: Place, item_places: Sequence[Place] = ()):
        super().__init__(values)
        self.place = place
        self.item_places = item_places


def load_document(path: Path, name: str) -> Any:
    """Raises ConfigError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError(f"The file cannot be read: {_reason(wrong)}.", Place(name)) from wrong
    return parse_document(text, name)


def parse_document(text: str, name: str) -> Any:
    """Raises ConfigError with line and column."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as wrong:
        mark = wrong.problem_mark or wrong.context_mark
        place = Place(name) if mark is None else Place(name, mark.line + 1, mark.column + 1)
        problem = wrong.problem or wrong.context or "it is not YAML"
        raise ConfigError(f"This is not valid YAML: {problem}.", place) from wrong
    except (yaml.YAMLError, RecursionError) as wrong:
        raise ConfigError(f"This is not valid YAML: {wrong}.", Place(name)) from wrong
    return None if node is None else _Builder(name).build(node)


def _reason(wrong: Exception) -> str:
    return wrong.strerror or str(wrong) if isinstance(wrong, OSError) else "it is not UTF-8 text"


class _Builder:
    """Makes values of nodes. Aliases can make a small file endless, so nodes are counted."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = _MOST_NODES
        self._open: set[int] = set()

    def build(self, node: Any) -> Any:
        place = self._place(node)
        self._left -= 1
        if self._left < 0 or id(node) in self._open:
            raise ConfigError("The file has too many values.", place)
        if not node.tag.startswith(_STANDARD):
            raise ConfigError(f"The tag {node.tag} is not known.", place)
        if node.id == "scalar":
            return node.value if node.style else yaml_scalar(node.value)
        self._open.add(id(node))
        try:
            if node.id == "sequence":
                items = [self._place(each) for each in node.value]
                return LocatedList([self.build(each) for each in node.value], place, items)
            return self._object(node, place)
        finally:
            self._open.discard(id(node))

    def _object(self, node: Any, place: Place) -> LocatedObject:
        values: dict[str, Any] = {}
        members: dict[str, Place] = {}
        merged: dict[str, Any] = {}
        for key, value in node.value:
            name = to_text(self.build(key))
            if name == _MERGE and not key.style:
                found = self.build(value)
                for each in reversed(found if isinstance(found, list) else [found]):
                    merged |= each if isinstance(each, dict) else {}
                continue
            if name in values:
                raise ConfigError(f"“{name}” occurs twice.", self._place(key))
            values[name] = self.build(value)
            members[name] = self._place(key)
        return LocatedObject({**merged, **values}, place, members)

    def _place(self, node: Any) -> Place:
        return Place(self._name, node.start_mark.line + 1, node.start_mark.column + 1)


def mapped_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A copy with changed texts; places are kept."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        items = [mapped_texts(each, change) for each in value]
        place = place_of(value)
        places = getattr(value, "item_places", ())
        return items if place is None else LocatedList(items, place, places)
    if isinstance(value, dict):
        values = {name: mapped_texts(each, change) for name, each in value.items()}
        place = place_of(value)
        if place is None:
            return values
        return LocatedObject(values, place, getattr(value, "members", {}))
    return value


def fill_environment(value: Any, env: Mapping[str, str]) -> Any:
    """Fills in environment variables that are set; other templates stay as they are."""

    def fill(text: str) -> str:
        return _ENVIRONMENT.sub(lambda found: _filled(found, env), text) if "env" in text else text

    return mapped_texts(value, fill)


def _filled(found: re.Match[str], env: Mapping[str, str]) -> str:
    name, text = found[1] or found[2], found[0]
    if name not in env and "|" not in text:
        return text
    try:
        return render_nunjucks(text, {}, env={name: env[name]} if name in env else {})
    except TemplateError:
        return text


def plain(value: Any) -> Any:
    """The value as ordinary objects and lists."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def resolve_references(root: Any, load: Callable[[str, Place | None], Any]) -> Any:
    """Replaces each `{$ref: …}` by what it names; other members of the object win. `load` reads
    another file. Raises ConfigError for a missing target and for a cycle.
    """
    return _References(root, load).resolve(root, ())


class _References:
    def __init__(self, root: Any, load: Callable[[str, Place | None], Any]) -> None:
        self._root = root
        self._load = load

    def resolve(self, value: Any, trail: tuple[str, ...]) -> Any:
        if isinstance(value, list):
            items = [self.resolve(each, trail) for each in value]
            place = place_of(value)
            places = getattr(value, "item_places", ())
            return items if place is None else LocatedList(items, place, places)
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref")
        if not isinstance(reference, str):
            return self._members(value, trail)
        place = place_of(value)
        if reference in trail:
            shown = " → ".join((*trail, reference))
            raise ConfigError(f"$ref goes in a circle: {shown}.", place)
        found = self._target(reference, place, (*trail, reference))
        own = {name: each for name, each in value.items() if name != "$ref"}
        if not own or not isinstance(found, dict):
            return found
        more = self._members(own, trail)
        return LocatedObject({**found, **more}, place or Place(""), getattr(value, "members", {}))

    def _members(self, value: dict[str, Any], trail: tuple[str, ...]) -> dict[str, Any]:
        values = {name: self.resolve(each, trail) for name, each in value.items()}
        place = place_of(value)
        if place is None:
            return values
        return LocatedObject(values, place, getattr(value, "members", {}))

    def _target(self, reference: str, place: Place | None, trail: tuple[str, ...]) -> Any:
        file, _, pointer = reference.partition("#")
        if file:
            outside = self._load(file, place)
            found = _pointed(outside, pointer, reference, place)
            return _References(outside, self._load).resolve(found, trail)
        return self.resolve(_pointed(self._root, pointer, reference, place), trail)


def _pointed(root: Any, pointer: str, reference: str, place: Place | None) -> Any:
    found = root
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdigit() and int(name) < len(found):
            found = found[int(name)]
        else:
            raise ConfigError(f"$ref {reference}: there is no “{name}” in the file.", place)
    return found
