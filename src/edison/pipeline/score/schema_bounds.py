"""How much work a JSON Schema of a user's can cause, found out without running it.

Schemas are programs: references that fan out double the work with each of a few lines. Bounds that
no honest schema meets are checked when one is saved. What is left is measured as `expanded`, the
number of nodes after all references are replaced by what they refer to. Validation visits each pair
of such a node and a node of the value at most once, so that the product bounds the work; without
that number (recursive schemas, `unevaluated…`, anchors) there is no bound.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

MOST_NODES = 20_000
MOST_REFERENCES = 1_000
MOST_PATTERNS = 50
DEEPEST_NESTING = 100
# Schemas within schemas and references on the way from one to another.
LONGEST_CHAIN = 150
# How many schemas apply to one value at once, along all alternatives.
MOST_ALTERNATIVES = 2_000

_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_UNBOUNDED = frozenset(
    {"$dynamicRef", "$recursiveRef", "unevaluatedProperties", "unevaluatedItems", "$id", "$anchor"}
)
_PATTERNS = frozenset({"pattern", "patternProperties"})
# Keywords whose schemas apply to the value itself and not to its parts.
_IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")
_IN_PLACE = ("not", "if", "then", "else")
_ELSEWHERE: dict[str, Any] = {}


class OutOfBounds(ValueError):
    """A sentence for whoever wrote the schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """`expanded` is None when the work is not bounded by it."""

    nodes: int
    expanded: int | None


def measure(schema: Any) -> Bounds:
    """Raises OutOfBounds for a schema that asks for too much."""
    nodes = references = patterns = 0
    is_bounded = True
    for node, depth in _walk(schema):
        nodes += 1
        if depth > DEEPEST_NESTING:
            raise OutOfBounds(f"A schema is nested at most {DEEPEST_NESTING} levels deep.")
        if isinstance(node, dict):
            references += sum(isinstance(node.get(key), str) for key in _REFERENCES)
            patterns += sum(_count(node.get(key)) for key in _PATTERNS)
            is_bounded = is_bounded and not _is_unbounded(node)
        _refuse_more(nodes, MOST_NODES, "parts")
        _refuse_more(references, MOST_REFERENCES, "references")
        _refuse_more(patterns, MOST_PATTERNS, "patterns")
    expansion = _Expansion(schema)
    if expansion.alternatives(schema) > MOST_ALTERNATIVES:
        raise OutOfBounds(
            f"The schema checks one value against more than {MOST_ALTERNATIVES:,} alternatives; "
            "its references multiply them."
        )
    return Bounds(nodes=nodes, expanded=expansion.size(schema) if is_bounded else None)


def count_nodes(value: Any, *, most: int) -> int:
    """How many nodes a JSON value has; counting ends above `most`."""
    count = 0
    for _ in _walk(value):
        count += 1
        if count > most:
            break
    return count


def _is_unbounded(node: dict[str, Any]) -> bool:
    # A text that is checked to be a regular expression is compiled.
    return not _UNBOUNDED.isdisjoint(node) or node.get("format") == "regex"


def _count(value: Any) -> int:
    return len(value) if isinstance(value, dict) else int(value is not None)


def _refuse_more(count: int, most: int, what: str) -> None:
    if count > most:
        raise OutOfBounds(f"A schema has at most {most:,} {what}.")


def _walk(value: Any) -> Iterator[tuple[Any, int]]:
    pending = [(value, 0)]
    while pending:
        node, depth = pending.pop()
        yield node, depth
        if isinstance(node, dict):
            pending += [(part, depth + 1) for part in node.values()]
        elif isinstance(node, list):
            pending += [(part, depth + 1) for part in node]


class _Expansion:
    """Adds up sizes along references. Each node is computed once, so that this takes linear time;
    recursion is as deep as nesting, times the references on the way.
    """

    def __init__(self, root: Any) -> None:
        self._root = root
        self._alternatives: dict[int, int] = {}
        self._sizes: dict[int, int | None] = {}
        self._open: set[int] = set()

    def alternatives(self, schema: Any) -> int:
        """The largest number of schemas that apply to one value anywhere in `schema`."""
        most = 0
        for node, _ in _walk(schema):
            if isinstance(node, dict):
                most = max(most, self._applied(node))
        return most

    def _applied(self, schema: Any) -> int:
        if not isinstance(schema, dict):
            return 1
        key = id(schema)
        if (known := self._alternatives.get(key)) is not None:
            return known
        if key in self._open:
            raise OutOfBounds("The schema refers to itself without end.")
        if len(self._open) > LONGEST_CHAIN:
            raise OutOfBounds("The references of the schema form too long a chain.")
        self._open.add(key)
        total = 1 + sum(self._applied(part) for part in self._in_place(schema))
        self._open.discard(key)
        self._alternatives[key] = total = min(total, MOST_ALTERNATIVES + 1)
        return total

    def _in_place(self, schema: dict[str, Any]) -> Iterator[Any]:
        for keyword in _IN_PLACE_LISTS:
            parts = schema.get(keyword)
            if isinstance(parts, list):
                yield from parts
        for keyword in _IN_PLACE:
            if keyword in schema:
                yield schema[keyword]
        dependent = schema.get("dependentSchemas")
        if isinstance(dependent, dict):
            yield from dependent.values()
        for keyword in _REFERENCES:
            if isinstance(schema.get(keyword), str):
                yield self._target(schema[keyword])

    def size(self, node: Any) -> int | None:
        """Nodes after references are replaced; None when there is no end to it."""
        if not isinstance(node, dict | list):
            return 1
        key = id(node)
        if key in self._sizes:
            return self._sizes[key]
        if len(self._open) > LONGEST_CHAIN:
            return None
        # Found again before it is known: it holds itself.
        self._sizes[key] = None
        self._open.add(key)
        total: int | None = 1
        for part in self._parts(node):
            size = self.size(part)
            total = None if size is None or total is None else total + size
            if total is None:
                break
        self._open.discard(key)
        self._sizes[key] = total
        return total

    def _parts(self, node: dict[str, Any] | list[Any]) -> Iterator[Any]:
        if isinstance(node, list):
            yield from node
            return
        yield from node.values()
        if isinstance(node.get("$ref"), str):
            yield self._target(node["$ref"])

    def _target(self, reference: str) -> Any:
        """What a reference inside of the schema leads to; an empty schema when it leads elsewhere,
        which the validator refuses by itself.
        """
        if not reference.startswith("#"):
            return _ELSEWHERE
        current = self._root
        for step in unquote(reference[1:]).split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(current, dict) and name in current:
                current = current[name]
            elif isinstance(current, list) and name.isdecimal() and int(name) < len(current):
                current = current[int(name)]
            else:
                return _ELSEWHERE
        return current
