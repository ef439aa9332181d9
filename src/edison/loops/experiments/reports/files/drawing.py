"""Charts of a report as SVG, from the same numbers as its tables."""

import math
from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

from edison.kit.lazy_dataclasses import dataclass
from edison.loops.experiments.schemas.iterations import VariantMetrics
from edison.loops.experiments.schemas.reports import TrendPoint
from edison.runs.results.schemas.statistics import MeanRead

WIDTH, HEIGHT = 640, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 16, 40
# Text and grid colours, and two series that differ in shape as well as in colour.
_INK, _GRID = "#57606a", "#d8dee4"
_SERIES = ("#1f6feb", "#9a6700")
_PHASES = (("Answers", "#1f6feb"), ("Judging", "#9a6700"), ("Refining", "#8250df"))
_TICKS = 5
# A model's row in its drawing: the height, the width of the names, and the longest name.
_ROW, _NAMES, _LONGEST_NAME = 32, 180, 28
# With more iterations their labels would overlap.
_MOST_LABELS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    """An axis between two round numbers, with a tick every `step`."""

    low: float
    high: float
    step: float

    @classmethod
    def around(cls, low: float, high: float) -> "_Scale":
        rough = (high - low or 1.0) / _TICKS
        size = 10.0 ** math.floor(math.log10(rough))
        step = next(size * each for each in (1, 2, 5, 10) if size * each >= rough)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        return cls(low=first * step, high=max(last, first + 1) * step, step=step)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM)

    @property
    def ticks(self) -> list[float]:
        count = round((self.high - self.low) / self.step)
        return [self.low + self.step * at for at in range(count + 1)]


def draw_trend(points: Sequence[TrendPoint]) -> str:
    """Scores by iteration, out of 10, with their intervals as error bars."""
    series = [[point.train for point in points], [point.holdout for point in points]]
    seen = [value for means in series for each in means for value in _extent(each)]
    scale = _Scale.around(min(seen, default=0.0), max(seen, default=1.0))
    parts = [_frame(points, scale, lambda value: f"{10 * value:.1f}")]
    for at, means in enumerate(series):
        parts += _line(means, scale, at)
    names = ("Training cases", "Held-out cases")
    shown = [at for at, means in enumerate(series) if any(map(_extent, means))]
    parts += [_legend(place, names[at], _mark(at)) for place, at in enumerate(shown)]
    return _svg(parts)


def draw_costs(points: Sequence[TrendPoint]) -> str:
    """Cost per iteration in US dollars, by phase."""
    costs = [
        [
            float(amount)
            for amount in (
                point.cost.execution_usd,
                point.cost.judging_usd,
                point.cost.refining_usd,
            )
        ]
        for point in points
    ]
    scale = _Scale.around(0.0, max((sum(each) for each in costs), default=0.0))
    parts = [_frame(points, scale, lambda value: f"${value:.3g}")]
    width = min(48.0, 0.6 * _step(len(points)))
    for at, amounts in enumerate(costs):
        below = 0.0
        for amount, (_, colour) in zip(amounts, _PHASES, strict=True):
            top, bottom = scale.y(below + amount), scale.y(below)
            below += amount
            parts.append(
                f'<rect x="{_x(at, len(points)) - width / 2:.1f}" y="{top:.1f}" '
                f'width="{width:.1f}" height="{bottom - top:.1f}" fill="{colour}"/>'
            )
    parts += [
        _legend(place, name, f'<rect x="-4" y="-8" width="8" height="8" fill="{colour}"/>')
        for place, (name, colour) in enumerate(_PHASES)
    ]
    return _svg(parts)


def draw_models(variants: Sequence[VariantMetrics]) -> str:
    """A row per model: its scores out of 10 with their intervals."""
    series: list[list[MeanRead | None]] = [
        [each.train for each in variants],
        [each.holdout for each in variants],
    ]
    seen = [value for means in series for each in means for value in _extent(each)]
    scale = _Scale.around(min(seen, default=0.0), max(seen, default=1.0))
    height = _TOP + _BOTTOM + _ROW * len(variants)
    bottom = height - _BOTTOM

    def x_of(value: float) -> float:
        share = (value - scale.low) / (scale.high - scale.low)
        return _NAMES + share * (WIDTH - _RIGHT - _NAMES)

    parts = []
    for value in scale.ticks:
        x = x_of(value)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}" stroke="{_GRID}"/>'
            f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{10 * value:.1f}</text>'
        )
    for row, variant in enumerate(variants):
        y = _TOP + _ROW * (row + 0.5)
        name = variant.model_name
        shown = escape(name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…")
        parts.append(f'<text x="{_NAMES - 8}" y="{y + 4:.1f}" text-anchor="end">{shown}</text>')
        for at, means in enumerate(series):
            parts.append(_point(means[row], x_of, y + 5 * (2 * at - 1), at))
    names = ("Training cases", "Held-out cases")
    drawn = [at for at, means in enumerate(series) if any(map(_extent, means))]
    parts += [_legend(place, names[at], _mark(at), height) for place, at in enumerate(drawn)]
    return _svg(parts, height)


def _point(mean: MeanRead | None, x_of: Callable[[float], float], y: float, series: int) -> str:
    if mean is None or mean.value is None:
        return ""
    whisker = ""
    if mean.interval is not None:
        low, high = x_of(mean.interval.low), x_of(mean.interval.high)
        whisker = (
            f'<path d="M{low:.1f} {y:.1f}H{high:.1f}M{low:.1f} {y - 3:.1f}v6'
            f'M{high:.1f} {y - 3:.1f}v6" stroke="{_SERIES[series]}" fill="none"/>'
        )
    mark = f'<g transform="translate({x_of(mean.value):.1f} {y:.1f})">{_mark(series)}</g>'
    return whisker + mark


def _extent(mean: MeanRead | None) -> list[float]:
    if mean is None or mean.value is None:
        return []
    interval = mean.interval
    return [mean.value] if interval is None else [mean.value, interval.low, interval.high]


def _step(count: int) -> float:
    return (WIDTH - _LEFT - _RIGHT) / max(count, 1)


def _x(at: int, count: int) -> float:
    return _LEFT + _step(count) * (at + 0.5)


def _frame(points: Sequence[TrendPoint], scale: _Scale, words: Callable[[float], str]) -> str:
    parts = []
    for value in scale.ticks:
        y = scale.y(value)
        parts.append(
            f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{_GRID}"/>'
            f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(words(value))}</text>'
        )
    every = -(-len(points) // _MOST_LABELS)
    for at, point in enumerate(points):
        if at % every == 0:
            label = escape(f"{point.iteration} · {point.version_label}")
            parts.append(
                f'<text x="{_x(at, len(points)):.1f}" y="{HEIGHT - _BOTTOM + 16}" '
                f'text-anchor="middle">{label}</text>'
            )
    return "".join(parts)


def _line(means: Sequence[MeanRead | None], scale: _Scale, series: int) -> list[str]:
    colour = _SERIES[series]
    places = [
        (_x(at, len(means)) + 4 * (2 * series - 1), mean)
        for at, mean in enumerate(means)
        if mean is not None and mean.value is not None
    ]
    joined = " ".join(f"{x:.1f},{scale.y(mean.value or 0.0):.1f}" for x, mean in places)
    dashes = ' stroke-dasharray="5 4"' if series else ""
    parts = [
        f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
    ]
    for x, mean in places:
        if mean.interval is not None:
            low, high = scale.y(mean.interval.low), scale.y(mean.interval.high)
            parts.append(
                f'<path d="M{x:.1f} {low:.1f}V{high:.1f}M{x - 4:.1f} {low:.1f}h8'
                f'M{x - 4:.1f} {high:.1f}h8" stroke="{colour}" fill="none"/>'
            )
        y = scale.y(mean.value or 0.0)
        parts.append(f'<g transform="translate({x:.1f} {y:.1f})">{_mark(series)}</g>')
    return parts


def _mark(series: int) -> str:
    if series == 0:
        return f'<circle r="4" fill="{_SERIES[0]}"/>'
    return f'<path d="M0-5L5 0L0 5L-5 0Z" fill="{_SERIES[1]}"/>'


def _legend(place: int, name: str, mark: str, height: int = HEIGHT) -> str:
    x = _LEFT + 8 + place * 150
    return (
        f'<g transform="translate({x} {height - 8})">{mark}'
        f'<text x="10" y="0">{escape(name)}</text></g>'
    )


def _svg(parts: Sequence[str], height: int = HEIGHT) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="Libertinus Serif, serif" font-size="12" '
        f'fill="{_INK}">{"".join(parts)}</svg>'
    )
