"""Renders the syntax tree of a Nunjucks template."""

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from edison.pipeline.render.nunjucks import nodes
from edison.pipeline.render.nunjucks.budget import RenderBudget
from edison.pipeline.render.nunjucks.conditions import CONDITIONS
from edison.pipeline.render.nunjucks.filters import FILTERS, SHALLOW
from edison.pipeline.render.nunjucks.globals import GLOBALS
from edison.pipeline.render.nunjucks.javascript import (
    UNDEFINED,
    SafeText,
    add,
    arithmetic,
    cut,
    divide,
    is_absent,
    is_at_most,
    is_less,
    is_loosely_equal,
    is_strictly_equal,
    is_true,
    length_of,
    members_of,
    power,
    remainder,
    to_number,
    to_text,
)
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.nunjucks.list_filters import Arguments
from edison.pipeline.render.nunjucks.members import member, position_in
from edison.pipeline.render.nunjucks.patterns import Pattern

_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "~": lambda one, other: to_text(one) + to_text(other),
    "+": add,
    "-": arithmetic(operator.sub),
    "*": arithmetic(operator.mul),
    "/": arithmetic(divide),
    "//": arithmetic(
        lambda one, other: (
            math.floor(found) if math.isfinite(found := divide(one, other)) else found
        )
    ),
    "%": arithmetic(remainder),
    "**": arithmetic(power),
    "==": is_loosely_equal,
    "!=": lambda one, other: not is_loosely_equal(one, other),
    "===": is_strictly_equal,
    "!==": lambda one, other: not is_strictly_equal(one, other),
    "<": is_less,
    ">": lambda one, other: is_less(other, one),
    "<=": is_at_most,
    ">=": lambda one, other: is_at_most(other, one),
}


class Frame:
    """Variables of a scope. Those of a loop are seen inside it only."""

    def __init__(self, parent: "Frame | None" = None, *, is_isolated: bool = False) -> None:
        self.variables: dict[str, Any] = {}
        self.parent = parent
        self._is_isolated = is_isolated

    def find(self, name: str) -> tuple[Any] | None:
        frame: Frame | None = self
        while frame is not None:
            if name in frame.variables:
                return (frame.variables[name],)
            frame = frame.parent
        return None

    def assign(self, name: str, value: Any) -> None:
        """Sets a variable where it was set before, or else here."""
        frame: Frame | None = self
        while frame is not None:
            if frame.variables.get(name, UNDEFINED) is not UNDEFINED:
                frame.variables[name] = value
                return
            frame = None if frame._is_isolated else frame.parent
        self.variables[name] = value


class Interpreter:
    """Renders one template once."""

    def __init__(
        self, values: Mapping[str, Any], budget: RenderBudget, env: Mapping[str, Any]
    ) -> None:
        self._context = dict(values)
        self._globals = {**GLOBALS, "env": dict(env)}
        self._budget = budget
        self._frame = Frame()
        self._output: list[str] = []
        self._writers: Mapping[type, Callable[[Any], None]] = {
            nodes.Body: self._body,
            nodes.Text: lambda node: self._write(node.text),
            nodes.Print: self._print,
            nodes.If: self._if,
            nodes.For: self._for,
            nodes.Set: self._set,
            nodes.Macro: self._define,
            nodes.Switch: self._switch,
            nodes.Missing: self._missing,
        }
        self._readers: Mapping[type, Callable[[Any], Any]] = {
            nodes.Literal: lambda node: node.value,
            nodes.RegexLiteral: lambda node: Pattern.of(node.pattern, node.flags),
            nodes.Name: self._name,
            nodes.Group: self._group,
            nodes.Array: lambda node: [self.evaluate(each) for each in node.items],
            nodes.Dict: self._dict,
            nodes.MemberAccess: self._member,
            nodes.FunctionCall: self._call,
            nodes.Filter: self._filter,
            nodes.Test: self._test,
            nodes.Unary: self._unary,
            nodes.Binary: self._binary,
            nodes.InlineIf: self._inline_if,
            nodes.Capture: lambda node: self._captured(node.body),
            nodes.Macro: self._made,
        }

    def render(self, body: nodes.Body) -> str:
        self._body(body)
        return "".join(self._output)

    def _write(self, text: str) -> None:
        self._budget.output(len(text))
        self._output.append(text)

    def _run(self, node: nodes.Node) -> None:
        self._budget.spend()
        self._writers[type(node)](node)

    def evaluate(self, node: nodes.Node) -> Any:
        self._budget.spend()
        value = self._readers[type(node)](node)
        if isinstance(value, str):
            self._budget.text(len(value))
        return value

    def _body(self, node: nodes.Body) -> None:
        for child in node.children:
            self._run(child)

    def _print(self, node: nodes.Print) -> None:
        value = self.evaluate(node.value)
        self._budget.walk(value)
        self._write("" if is_absent(value) else to_text(value))

    def _captured(self, body: nodes.Body) -> str:
        outer, self._output = self._output, []
        try:
            self._body(body)
            return "".join(self._output)
        finally:
            self._output = outer

    def _if(self, node: nodes.If) -> None:
        if is_true(self.evaluate(node.condition)):
            self._body(node.body)
        elif node.otherwise is not None:
            self._run(node.otherwise)

    def _for(self, node: nodes.For) -> None:
        self._frame = Frame(self._frame)
        items = self.evaluate(node.items)
        rows = self._rows(items, node.names) if is_true(items) else []
        self._budget.items(len(rows))
        for index, row in enumerate(rows):
            self._frame.variables.update(zip(node.names, row, strict=False))
            self._frame.variables["loop"] = _loop(index, len(rows))
            self._body(node.body)
        if not rows and node.otherwise is not None:
            self._body(node.otherwise)
        assert self._frame.parent is not None  # noqa: S101 - pushed above
        self._frame = self._frame.parent

    def _rows(self, items: Any, names: list[str]) -> list[tuple[Any, ...]]:
        if isinstance(items, str):
            self._budget.items(len(items))
            items = [cut(items, at, at + 1) for at in range(length_of(items))]
        if len(names) == 1:
            return [(each,) for each in items] if isinstance(items, list) else []
        if isinstance(items, dict):
            return list(members_of(items))
        if not isinstance(items, list):
            return []
        return [tuple(member(each, at, self._budget) for at in range(len(names))) for each in items]

    def _set(self, node: nodes.Set) -> None:
        value = self.evaluate(node.value)
        for name in node.names:
            self._frame.assign(name, value)
            if self._frame.parent is None:
                self._context[name] = value

    def _define(self, node: nodes.Macro) -> None:
        self._frame.variables[node.name] = self._made(node)
        if self._frame.parent is None:
            self._context[node.name] = self._frame.variables[node.name]

    def _made(self, node: nodes.Macro) -> Callable[..., Any]:
        outer = self._frame

        def macro(*values: Any) -> Any:
            caller = self._frame
            self._frame = Frame(outer, is_isolated=True) if node.is_caller else Frame()
            # A top-level `set` inside of a macro stays inside.
            self._frame.parent = self._frame.parent or Frame()
            try:
                self._bind(node.parameters, values)
                return SafeText(self._captured(node.body))
            finally:
                self._frame = caller

        return macro

    def _bind(self, parameters: nodes.Signature, values: tuple[Any, ...]) -> None:
        """Positional arguments may also be given by name, and named ones by position."""
        named = values[-1] if values and isinstance(values[-1], Arguments) else Arguments()
        positional = list(values[:-1] if values and isinstance(values[-1], Arguments) else values)
        variables = self._frame.variables
        if "caller" in named:
            variables["caller"] = named["caller"]
        for parameter in parameters.positional:
            name = _name_of(parameter)
            variables[name] = positional.pop(0) if positional else named.get(name, UNDEFINED)
        for pair in parameters.named:
            name = _name_of(pair.key)
            if name in named:
                variables[name] = named[name]
            elif positional:
                variables[name] = positional.pop(0)
            else:
                variables[name] = self.evaluate(pair.value)

    def _switch(self, node: nodes.Switch) -> None:
        value = self.evaluate(node.value)
        is_found = False
        for condition, body in node.cases:
            is_found = is_found or is_strictly_equal(value, self.evaluate(condition))
            if is_found and body.children:
                self._body(body)
                return
        if node.default is not None:
            self._body(node.default)

    def _missing(self, node: nodes.Missing) -> None:
        name = to_text(self.evaluate(node.template))
        if not node.is_optional:
            raise TemplateError(f"template not found: {name}")

    def _name(self, node: nodes.Name) -> Any:
        found = self._frame.find(node.name)
        if found is not None:
            return found[0]
        if node.name in self._context:
            return self._context[node.name]
        return self._globals.get(node.name, UNDEFINED)

    def _group(self, node: nodes.Group) -> Any:
        values = [self.evaluate(each) for each in node.items]
        return values[-1] if values else UNDEFINED

    def _dict(self, node: nodes.Dict) -> dict[str, Any]:
        return {to_text(self.evaluate(pair.key)): self.evaluate(pair.value) for pair in node.items}

    def _member(self, node: nodes.MemberAccess) -> Any:
        target, key = self.evaluate(node.target), self.evaluate(node.key)
        self._budget.walk(key)
        return member(target, key, self._budget)

    def _arguments(self, signature: nodes.Signature) -> list[Any]:
        values = [self.evaluate(each) for each in signature.positional]
        for value in values:
            self._budget.walk(value)
        if signature.named:
            values.append(
                Arguments(
                    (_name_of(pair.key), self.evaluate(pair.value)) for pair in signature.named
                )
            )
        return values

    def _call(self, node: nodes.FunctionCall) -> Any:
        function = self.evaluate(node.target)
        arguments = self._arguments(node.arguments)
        if not is_true(function):
            raise TemplateError("Unable to call a value that is undefined or falsey")
        if not callable(function):
            raise TemplateError("Unable to call a value that is not a function")
        try:
            return function(*arguments)
        except TypeError as wrong:
            raise TemplateError("A function was called with the wrong arguments.") from wrong

    def _filter(self, node: nodes.Filter) -> Any:
        made = FILTERS.get(node.name)
        value = self.evaluate(node.value)
        arguments = self._arguments(node.arguments)
        if made is None:
            raise TemplateError(f"filter not found: {node.name}")
        if node.name not in SHALLOW:
            self._budget.walk(value)
        return made(self._budget, value, *arguments)

    def _test(self, node: nodes.Test) -> bool:
        test = CONDITIONS.get(node.name)
        value = self.evaluate(node.value)
        arguments = self._arguments(node.arguments)
        if test is None:
            raise TemplateError(f"test not found: {node.name}")
        return test(value, *arguments) is True

    def _unary(self, node: nodes.Unary) -> Any:
        value = self.evaluate(node.value)
        if node.operator == "not":
            return not is_true(value)
        return -to_number(value) if node.operator == "-" else to_number(value)

    def _binary(self, node: nodes.Binary) -> Any:
        left = self.evaluate(node.left)
        if node.operator in {"and", "or"}:
            return left if is_true(left) is (node.operator == "or") else self.evaluate(node.right)
        right = self.evaluate(node.right)
        if node.operator == "in":
            return self._contains(left, right)
        self._budget.walk(left)
        self._budget.walk(right)
        return _OPERATORS[node.operator](left, right)

    @staticmethod
    def _contains(value: Any, container: Any) -> bool:
        if isinstance(container, list):
            return position_in(container, value) != -1
        if isinstance(container, str):
            return to_text(value) in container
        if isinstance(container, dict):
            return to_text(value) in container
        raise TemplateError('Cannot use "in" operator to search in unexpected types.')

    def _inline_if(self, node: nodes.InlineIf) -> Any:
        if is_true(self.evaluate(node.condition)):
            return self.evaluate(node.value)
        return "" if node.otherwise is None else self.evaluate(node.otherwise)


def _name_of(node: nodes.Node) -> str:
    match node:
        case nodes.Name(name):
            return name
        case nodes.Literal(value):
            return to_text(value)
    raise TemplateError("expected a name")


def _loop(index: int, length: int) -> dict[str, Any]:
    return {
        "index": index + 1,
        "index0": index,
        "revindex": length - index,
        "revindex0": length - index - 1,
        "first": index == 0,
        "last": index == length - 1,
        "length": length,
    }
