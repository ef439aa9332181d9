"""A Prometheus counter for events that come by the thousand."""

from collections.abc import Iterable, Sequence

from prometheus_client import REGISTRY, Counter, Metric
from prometheus_client.registry import Collector


class BatchedCounter(Collector):
    """Adds up what is counted, and passes it to the library's counter when that is read: the
    library takes a lock for each increment. Not thread-safe: for the event loop only.
    """

    def __init__(self, name: str, documentation: str, labels: Sequence[str]) -> None:
        self._counter = Counter(name, documentation, labels, registry=None)
        self._series: dict[tuple[str, ...], _Series] = {}
        REGISTRY.register(self)

    def labels(self, *values: str) -> "_Series":
        series = self._series.get(values)
        if series is None:
            series = self._series[values] = _Series(self._counter.labels(*values))
        return series

    def collect(self) -> Iterable[Metric]:
        for series in self._series.values():
            series.pass_on()
        return self._counter.collect()


class _Series:
    __slots__ = ("_amount", "_counter")

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._amount = 0.0

    def inc(self, amount: float = 1) -> None:
        self._amount += amount

    def pass_on(self) -> None:
        self._counter.inc(self._amount)
        self._amount = 0.0
