"""Derived metrics: arithmetic over the named scores of a prompt, as promptfoo calculates them.

Names are the metrics, the sums by weight; `__count` is the number of tests. A metric that cannot be
calculated is left out.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence

from edison.evals.plan import DerivedMetric
from edison.evals.results import ColumnMetrics

_BINARY: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "abs": abs,
    "ceil": math.ceil,
    "exp": math.exp,
    "floor": math.floor,
    "log": math.log,
    "max": max,
    "mean": lambda *values: sum(values) / len(values),
    "min": min,
    "pow": math.pow,
    "round": round,
    "sqrt": math.sqrt,
    "sum": lambda *values: sum(values),
}
_LARGEST_POWER = 100


def derived_scores(derived: Sequence[DerivedMetric], metrics: ColumnMetrics) -> Mapping[str, float]:
    """The named scores of the prompt with the derived ones, which may use earlier ones."""
    found: dict[str, float] = dict(metrics.named_scores)
    count = float(metrics.passed + metrics.failed + metrics.errors)
    for each in derived:
        try:
            found[each.name] = evaluate(each.value, {**found, "__count": count})
        except (ValueError, ArithmeticError, TypeError):
            continue
    return found


def evaluate(expression: str, values: Mapping[str, float]) -> float:
    """Raises ValueError for what is not arithmetic."""
    # Metric names may have spaces or hyphens in them; longer names first.
    numbered = {name: f"v{at}" for at, name in enumerate(sorted(values, key=len, reverse=True))}
    text = expression.replace("^", "**")
    for name, short in numbered.items():
        text = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", short, text)
    known = {numbered[name]: value for name, value in values.items()}
    try:
        return float(_value(ast.parse(text, mode="eval").body, known))
    except SyntaxError as wrong:
        raise ValueError("not arithmetic") from wrong


def _value(node: ast.expr, values: Mapping[str, float]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.Name):
        # A metric that no test has counts as 0.
        return values.get(node.id, 0.0)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, values)
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        left, right = _value(node.left, values), _value(node.right, values)
        if isinstance(node.op, ast.Pow) and abs(right) > _LARGEST_POWER:
            raise ValueError("too large a power")
        return _BINARY[type(node.op)](left, right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        function = _FUNCTIONS.get(node.func.id)
        if function is not None:
            return float(function(*(_value(each, values) for each in node.args)))
    raise ValueError("not arithmetic")
