"""Less garbage collection while a process works at full speed."""

import gc

import pytest

from edison.kit.garbage import YOUNG_OBJECTS, collected_rarely


def test_the_last_to_leave_restores_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edison.kit.garbage._users", 0)
    normal = gc.get_threshold()
    with collected_rarely():
        with collected_rarely():
            assert gc.get_threshold() == (YOUNG_OBJECTS, *normal[1:])
        assert gc.get_threshold()[0] == YOUNG_OBJECTS
    assert gc.get_threshold() == normal
