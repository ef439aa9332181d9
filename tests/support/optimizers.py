"""A second folder of optimizers, as if its files were in the package."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from edison.kit import registry as plugins
from edison.pipeline.refine import optimizers, registry

HOWTO = Path(__file__).parents[2] / "docs" / "howto" / "add-an-optimizer.md"


@pytest.fixture
def strategy_of_the_howto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The kind of the strategy that the howto writes."""
    kind = "unchanged"
    (code,) = re.findall(r"```python\n(.*?)```", HOWTO.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / f"{kind}.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(optimizers, "__path__", [*optimizers.__path__, str(tmp_path)])
    plugins.keys_of.cache_clear()
    registry.optimizer_kinds.cache_clear()
    yield kind
    monkeypatch.undo()
    sys.modules.pop(f"{optimizers.__name__}.{kind}", None)
    plugins.keys_of.cache_clear()
    registry.optimizer_kinds.cache_clear()
