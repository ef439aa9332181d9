"""Static bounds on the work that validating with a user's JSON Schema can cause.

Nested references can double the work with every few lines. Limits that no reasonable schema reaches
are checked when a schema is saved. The rest is measured as `expanded`, the number of nodes after
all references are replaced by their targets. Validation visits each pair of such a node and a node
of the value at most once, so the product bounds the work; without that number (recursive schemas,
`unevaluated…`, anchors) there is no bound.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from edison.kit.lazy_dataclasses import dataclass

MOST_NODES = 20_000
MOST_REFERENCES = 1_000
MOST_PATTERNS = 50
DEEPEST_NESTING = 100
# Max nested schemas and references on one path.
LONGEST_CHAIN = 150
# Max schemas that apply to one value, over all alternatives.
MOST_ALTERNATIVES = 2_000

_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_UNBOUNDED = frozenset(
    {"$dynamicRef", "$recursiveRef", "unevaluatedProperties", "unevaluatedItems", "$id", "$anchor"}
)
_PATTERNS = frozenset({"pattern", "patternProperties"})
# Keywords whose schemas apply to the value itself, not to its parts.
_IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")
_IN_PLACE = ("not", "if", "then", "else")
_ELSEWHERE: dict[str, Any] = {}


class OutOfBounds(ValueError):
    """The message is a sentence for the author of the schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """`expanded` is None when the work is unbounded."""

    nodes: int
    expanded: int | None


def measure(schema: Any) -> Bounds:
    """Raises OutOfBounds for a schema that exceeds a limit."""
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
    """Number of nodes of a JSON value; stops counting above `most`."""
    count = 0
    for _ in _walk(value):
        count += 1
        if count > most:
            break
    return count


def _is_unbounded(node: dict[str, Any]) -> bool:
    # The format `regex` compiles the text of the value.
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
    """Sums sizes along references. Each node is computed once, so the time is linear; the recursion
    depth is limited by LONGEST_CHAIN.
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
        """Nodes after references are replaced; None when the expansion is infinite."""
        if not isinstance(node, dict | list):
            return 1
        key = id(node)
        if key in self._sizes:
            return self._sizes[key]
        if len(self._open) > LONGEST_CHAIN:
            return None
        # A lookup before the size is known means that the node contains itself.
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
        """Target of a reference within the schema; an empty schema for any other reference, which
        the validator rejects.
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
