"""Counters that are passed to the library when they are read."""

from collections.abc import Iterable

from prometheus_client import REGISTRY, Counter, Metric
from prometheus_client.samples import Sample

from edison.app.batched_counter import BatchedCounter

NAME, TEXT, LABELS = "edison_test_batched", "Things", ["kind", "result"]


def samples(read: Iterable[Metric]) -> list[Sample]:
    """Without the time of creation."""
    (family,) = read
    assert (family.name, family.documentation, family.type) == (NAME, TEXT, "counter")
    return [each for each in family.samples if not each.name.endswith("_created")]


def test_it_is_read_like_a_counter_of_the_library() -> None:
    usual = Counter(NAME, TEXT, LABELS, registry=None)
    batched = BatchedCounter(NAME, TEXT, LABELS)
    try:
        assert samples(batched.collect()) == samples(usual.collect()) == []
        for _ in range(2):
            for counter in (usual, batched):
                counter.labels("a", "b").inc()
                counter.labels("a", "b").inc(2.5)
                counter.labels("a", "c").inc(0)
            assert samples(batched.collect()) == samples(usual.collect())
            assert samples(batched.collect()) == samples(usual.collect())
        assert REGISTRY.get_sample_value(f"{NAME}_total", {"kind": "a", "result": "b"}) == 7
        created = REGISTRY.get_sample_value(f"{NAME}_created", {"kind": "a", "result": "b"})
        assert created == batched._counter.labels("a", "b")._created
    finally:
        REGISTRY.unregister(batched)
