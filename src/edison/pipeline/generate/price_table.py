"""Prices and context windows of hosted models, from the table bundled with `genai-prices`.

Only the installed table is used; nothing is fetched. The library is slow to import and is therefore
imported on first use.
"""

from datetime import datetime
from decimal import ROUND_CEILING, Decimal
from functools import cache, lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from edison.kit import clock
from edison.kit.money import NANOS_PER_USD
from edison.pipeline.generate.facts import ModelFacts
from edison.pipeline.generate.prices import Prices, Rate, RateTier
from edison.pipeline.generate.successor import successor_of

if TYPE_CHECKING:
    from genai_prices.types import MatchLogic, ModelInfo, TieredPrices
    from genai_prices.types import Provider as Seller


def facts_of(seller_id: str, model: str, *, exactly: bool = False) -> ModelFacts:
    """The table's current facts about `model` as sold by `seller_id`. With `exactly`, a name
    matches only if the table lists it literally; for names that users choose freely.
    """
    found = _find(seller_id, model.lower())
    if found is None or (exactly and model.lower() not in _spelled_out(found)):
        return ModelFacts()
    is_retired = bool(found.deprecated)
    return ModelFacts(
        context_window=found.context_window,
        prices=_prices(found, at=clock.now()),
        is_retired=is_retired,
        successor=_find_successor(seller_id, found.id) if is_retired else None,
    )


@lru_cache(maxsize=512)
def _find_successor(seller_id: str, model_id: str) -> str | None:
    offered = [each.id for each in load_table()[seller_id].models if not each.deprecated]
    return successor_of(model_id, offered)


@cache
def table_version() -> str:
    return f"genai-prices {version('genai-prices')}"


@cache
def load_table() -> dict[str, "Seller"]:
    from genai_prices.data import providers

    return {seller.id: seller for seller in providers}


def is_loaded() -> bool:
    return load_table.cache_info().currsize > 0


@lru_cache(maxsize=4096)
def _find(seller_id: str, model: str) -> "ModelInfo | None":
    table = load_table()
    seller = table[seller_id]
    if len([known for known in seller.models if known.is_match(model)]) > 1:
        # Ambiguous: do not guess.
        return None
    return seller.find_model(model, all_providers=list(table.values()))


def _prices(model: "ModelInfo", *, at: datetime) -> Prices | None:
    """None when the table has no per-token price for input or output."""
    listed = model.get_prices(at)
    if listed.input_mtok is None or listed.output_mtok is None:
        return None
    read, written = listed.cache_read_mtok, listed.cache_write_mtok
    return Prices(
        input=_rate(listed.input_mtok),
        output=_rate(listed.output_mtok),
        cached_input=None if read is None else _rate(read),
        cache_write=None if written is None else _rate(written),
        version=table_version(),
    )


def _rate(price: "Decimal | TieredPrices") -> Rate:
    if isinstance(price, Decimal):
        return Rate(nanos_per_million=_nanos(price))
    return Rate(
        nanos_per_million=_nanos(price.base),
        tiers=tuple(
            RateTier(above_input_tokens=tier.start, nanos_per_million=_nanos(tier.price))
            for tier in price.tiers
        ),
    )


def _nanos(usd: Decimal) -> int:
    """Rounded up, because some prices in the table carry binary floating-point noise."""
    return int((usd * NANOS_PER_USD).to_integral_value(ROUND_CEILING))


def _spelled_out(model: "ModelInfo") -> set[str]:
    return {model.id.lower(), *_equal_names(model.match)}


def _equal_names(match: "MatchLogic") -> set[str]:
    from genai_prices.types import ClauseEquals, ClauseOr

    if isinstance(match, ClauseEquals):
        return {match.equals.lower()}
    if isinstance(match, ClauseOr):
        return set().union(*(_equal_names(clause) for clause in match.or_))
    return set()
