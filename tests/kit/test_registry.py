"""Plug-in folders."""

import sys
from pathlib import Path

import pytest

from edison.kit.registry import BrokenPlugin, keys_of, load_plugin


class Animal:
    pass


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "animals_for_test"
    folder.mkdir()
    (folder / "__init__.py").touch()
    plugin = "from tests.kit.test_registry import Animal\n\n\nclass {name}(Animal):\n    pass\n"
    (folder / "cat.py").write_text(plugin.format(name="Cat"))
    (folder / "twins.py").write_text(plugin.format(name="A") + plugin.format(name="B"))
    (folder / "rock.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield "animals_for_test"
    keys_of.cache_clear()
    for name in [name for name in sys.modules if name.startswith("animals_for_test")]:
        del sys.modules[name]


def test_a_plugin_file_is_discovered(package: str) -> None:
    assert keys_of(package) == ("cat", "rock", "twins")
    assert load_plugin(package, "cat", Animal).__name__ == "Cat"


def test_an_unknown_key_is_refused(package: str) -> None:
    with pytest.raises(KeyError):
        load_plugin(package, "unicorn", Animal)


@pytest.mark.parametrize("key", ["twins", "rock"])
def test_a_file_must_hold_exactly_one_plugin(package: str, key: str) -> None:
    with pytest.raises(BrokenPlugin, match="exactly one"):
        load_plugin(package, key, Animal)
