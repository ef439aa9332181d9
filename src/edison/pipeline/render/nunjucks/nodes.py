"""Syntax tree of a Nunjucks template."""

from dataclasses import field
from typing import Any

from edison.kit.lazy_dataclasses import dataclass


@dataclass(slots=True)
class Node:
    """Part of a template."""


@dataclass(slots=True)
class Text(Node):
    text: str


@dataclass(slots=True)
class Print(Node):
    value: Node


@dataclass(slots=True)
class Body(Node):
    children: list[Node]


@dataclass(slots=True)
class Literal(Node):
    value: Any


@dataclass(slots=True)
class RegexLiteral(Node):
    pattern: str
    flags: str


@dataclass(slots=True)
class Name(Node):
    name: str


@dataclass(slots=True)
class Group(Node):
    items: list[Node]


@dataclass(slots=True)
class Array(Node):
    items: list[Node]


@dataclass(slots=True)
class DictEntry(Node):
    key: Node
    value: Node


@dataclass(slots=True)
class Dict(Node):
    items: list[DictEntry]


@dataclass(slots=True)
class MemberAccess(Node):
    target: Node
    key: Node


@dataclass(slots=True)
class Signature(Node):
    """Arguments of a call, or parameters of a macro."""

    positional: list[Node] = field(default_factory=list)
    named: list[DictEntry] = field(default_factory=list)


@dataclass(slots=True)
class FunctionCall(Node):
    target: Node
    arguments: Signature


@dataclass(slots=True)
class Filter(Node):
    name: str
    value: Node
    arguments: Signature


@dataclass(slots=True)
class Test(Node):
    """`value is name(arguments)`."""

    value: Node
    name: str
    arguments: Signature


@dataclass(slots=True)
class Unary(Node):
    operator: str
    value: Node


@dataclass(slots=True)
class Binary(Node):
    operator: str
    left: Node
    right: Node


@dataclass(slots=True)
class InlineIf(Node):
    condition: Node
    value: Node
    otherwise: Node | None


@dataclass(slots=True)
class Capture(Node):
    """Output of a body as a text."""

    body: Body


@dataclass(slots=True)
class If(Node):
    condition: Node
    body: Body
    otherwise: Node | None = None


@dataclass(slots=True)
class For(Node):
    names: list[str]
    items: Node
    body: Body
    otherwise: Body | None = None


@dataclass(slots=True)
class Set(Node):
    names: list[str]
    value: Node


@dataclass(slots=True)
class Macro(Node):
    """A macro, or the body of a call block, which sees the variables around it."""

    name: str
    parameters: Signature
    body: Body
    is_caller: bool = False


@dataclass(slots=True)
class Switch(Node):
    value: Node
    cases: list[tuple[Node, Body]]
    default: Body | None


@dataclass(slots=True)
class Missing(Node):
    """A tag that needs another template: there is none."""

    template: Node
    is_optional: bool = False
