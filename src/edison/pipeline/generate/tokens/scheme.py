"""How to count the tokens of a model. The provider chooses a model's scheme."""

from typing import Literal

from edison.kit.lazy_dataclasses import dataclass

Encoding = Literal["o200k_base", "cl100k_base", "four_characters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenScheme:
    """`is_exact`: the model uses this encoding. Otherwise `percent` scales the count, so that an
    estimate is too high rather than too low.
    """

    encoding: Encoding
    is_exact: bool = False
    percent: int = 100


# A rule of thumb: other vendors' vocabularies are of similar size; 20 % is added.
OTHER_VENDORS = TokenScheme(encoding="o200k_base", percent=120)
