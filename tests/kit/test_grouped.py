"""Groups of items by key."""

from collections.abc import Hashable

from edison.kit.grouped import grouped


class Slow:
    """A key that counts how often it is hashed."""

    def __init__(self, name: Hashable) -> None:
        self.name = name
        self.hashed = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slow) and other.name == self.name

    def __hash__(self) -> int:
        self.hashed += 1
        return hash(self.name)


def test_items_of_equal_keys_are_one_group_in_their_order() -> None:
    assert grouped(["b1", "a1", "a2", "b2"], lambda each: each[0]) == {
        "b": ["b1", "b2"],
        "a": ["a1", "a2"],
    }


def test_a_key_that_items_in_a_row_share_is_not_hashed_for_each() -> None:
    one, many, equal = Slow("x"), Slow("x"), Slow("x")
    grouped([(one, 1)], lambda pair: pair[0])
    groups = grouped([(many, 1), (many, 2), (many, 3), (equal, 4)], lambda pair: pair[0])
    assert list(map(len, groups.values())) == [4]
    assert (many.hashed, equal.hashed) == (one.hashed, 0)
