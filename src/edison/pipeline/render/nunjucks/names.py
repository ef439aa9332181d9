"""Names that a template reads from its values."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from edison.pipeline.render.nunjucks import nodes
from edison.pipeline.render.nunjucks.globals import GLOBALS

_GIVEN = frozenset({*GLOBALS, "env", "caller", "loop"})


def free_names(body: nodes.Body) -> list[str]:
    """In order of first use, without those that the template itself defines."""
    return list(dict.fromkeys(_NameReader().read(body, _GIVEN)))


def tested_names(body: nodes.Body) -> set[str]:
    """Names that the template works without: it tests them or has a default for them."""
    return {name for node in _walk(body) for name in _tested(node)}


def filter_names(body: nodes.Body) -> list[str]:
    return list(dict.fromkeys(each.name for each in _walk(body) if isinstance(each, nodes.Filter)))


def _tested(node: nodes.Node) -> Iterator[str]:
    match node:
        case nodes.If(condition) | nodes.InlineIf(condition):
            yield from _names_in(condition)
        case nodes.Switch(value) | nodes.Test(value):
            yield from _names_in(value)
        case nodes.Filter("default" | "d", value):
            yield from _names_in(value)
        case nodes.Binary("or" | "and", left):
            yield from _names_in(left)
        case nodes.Unary("not", value):
            yield from _names_in(value)


def _names_in(node: nodes.Node) -> Iterator[str]:
    return (each.name for each in _walk(node) if isinstance(each, nodes.Name))


def _walk(node: nodes.Node) -> Iterator[nodes.Node]:
    yield node
    for part in _parts(node):
        if part is not None:
            yield from _walk(part)


class _NameReader:
    def read(self, node: nodes.Node | None, bound: frozenset[str]) -> Iterator[str]:
        match node:
            case nodes.Name(name):
                if name not in bound:
                    yield name
            case nodes.Body(children):
                yield from self._read_body(children, bound)
            case nodes.For(names, items, body, otherwise):
                yield from self.read(items, bound)
                yield from self.read(body, bound | set(names))
                yield from self.read(otherwise, bound)
            case nodes.Macro(_, parameters, body):
                names = [
                    each.name for each in parameters.positional if isinstance(each, nodes.Name)
                ]
                names += [
                    pair.key.name for pair in parameters.named if isinstance(pair.key, nodes.Name)
                ]
                yield from self._read_all([pair.value for pair in parameters.named], bound)
                yield from self.read(body, bound | set(names))
            case _:
                yield from self._read_all(_parts(node), bound)

    def _read_body(self, children: list[nodes.Node], bound: frozenset[str]) -> Iterator[str]:
        for child in children:
            yield from self.read(child, bound)
            if isinstance(child, nodes.Set):
                bound = bound | set(child.names)
            elif isinstance(child, nodes.Macro):
                bound = bound | {child.name}

    def _read_all(self, found: list[nodes.Node | None], bound: frozenset[str]) -> Iterator[str]:
        for each in found:
            yield from self.read(each, bound)


def _parts(node: nodes.Node | None) -> list[nodes.Node | None]:
    """The nodes directly below one; names of arguments are not among them."""
    if node is None:
        return []
    if isinstance(node, nodes.Signature):
        return [*node.positional, *(pair.value for pair in node.named)]
    return list(_nodes_in([getattr(node, field.name) for field in fields(node)]))


def _nodes_in(value: Any) -> Iterator[nodes.Node]:
    if isinstance(value, nodes.Node):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _nodes_in(each)
