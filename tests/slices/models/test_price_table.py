"""When the table of prices is imported, which takes a while."""

import pytest

from edison.library.models.lookup import load_prices
from edison.pipeline.generate import price_table
from edison.workspace.credentials.models import Credential


@pytest.mark.parametrize(
    ("providers", "loads"), [([], 0), (["sim", "ollama"], 0), (["sim", "openai"], 1)]
)
async def test_only_models_that_are_in_it_need_it(
    monkeypatch: pytest.MonkeyPatch, providers: list[str], loads: int
) -> None:
    loaded: list[None] = []
    monkeypatch.setattr(price_table, "is_loaded", lambda: False)
    monkeypatch.setattr(price_table, "load_table", lambda: loaded.append(None))
    await load_prices(Credential(provider=each) for each in providers)
    assert len(loaded) == loads
