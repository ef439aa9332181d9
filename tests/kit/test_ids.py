"""Identifiers that sort by creation time."""

import copy
import pickle
import time
from concurrent.futures import ThreadPoolExecutor

from edison.kit import ids


def test_ids_rise_in_the_order_they_were_made() -> None:
    made = [ids.new_id() for _ in range(10_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_ids_made_by_many_threads_are_unique() -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: ids.new_id(), range(20_000)))
    assert len(set(made)) == len(made)


def test_ids_are_version_7_and_carry_the_time() -> None:
    before = time.time_ns() // 1_000_000
    made = ids.new_id()
    after = time.time_ns() // 1_000_000
    assert made.version == 7
    assert made.variant == "specified in RFC 4122"
    # IDs made in a burst may be slightly ahead of the clock.
    assert before <= made.int >> 80 <= after + 100


def test_ids_are_like_those_that_are_read() -> None:
    made = ids.new_id()
    read = ids.parse_id(str(made))
    assert read is not None
    assert (made, hash(made), repr(made), made.is_safe) == (
        read,
        hash(read),
        repr(read),
        read.is_safe,
    )
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == read  # noqa: S301 - made here


def test_secrets_are_long_and_only_their_digest_is_stable() -> None:
    secret = ids.new_secret("edn_")
    assert secret.startswith("edn_")
    assert len(secret) >= 4 + 43
    assert ids.digest(secret) == ids.digest(secret) != ids.digest(ids.new_secret())
