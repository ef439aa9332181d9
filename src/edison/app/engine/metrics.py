"""Prometheus metrics of the server and its engine as those of one program."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from prometheus_client import REGISTRY, Metric, generate_latest
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

METRICS = "metrics"
# Work of the engine. The others are read from the database, or concern requests.
_FAMILIES = ("edison_call_", "edison_database_")
# A gauge that both processes read from the database.
_SAME_IN_BOTH = ("edison_database_up",)


async def read_metrics(_content: None) -> Sequence[Mapping[str, Any]]:
    """The engine's own metrics, for the server."""
    return [
        {
            "name": family.name,
            "documentation": family.documentation,
            "type": family.type,
            "samples": [(each.name, each.labels, each.value) for each in family.samples],
        }
        for family in REGISTRY.collect()
        if family.name.startswith(_FAMILIES) and family.name not in _SAME_IN_BOTH
    ]


def expose_metrics(of_engine: Iterable[Mapping[str, Any]]) -> bytes:
    """This process's metrics, with those of the engine added, in Prometheus's text format."""
    families = {family.name: family for family in REGISTRY.collect()}
    for found in of_engine:
        own = families.setdefault(
            found["name"], Metric(found["name"], found["documentation"], found["type"])
        )
        own.samples = _sum(own.samples, (Sample(*each) for each in found["samples"]))
    return generate_latest(_Collected(families.values()))


def _sum(own: Iterable[Sample], others: Iterable[Sample]) -> list[Sample]:
    """The time of creation is that of this process."""
    total = {(each.name, *sorted(each.labels.items())): each for each in own}
    for other in others:
        key = (other.name, *sorted(other.labels.items()))
        before = total.get(key)
        if before is None:
            total[key] = other
        elif not other.name.endswith("_created"):
            total[key] = before._replace(value=before.value + other.value)
    return list(total.values())


class _Collected(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families
