"""How the tokens of a model are counted. Which scheme a model has is said by its provider."""

from dataclasses import dataclass
from typing import Literal

Encoding = Literal["o200k_base", "cl100k_base", "four_characters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenScheme:
    """`is_exact`: the model itself uses the encoding. Otherwise the encoding's count is raised to
    `percent` of it, so that an estimate is rather too high than too low.
    """

    encoding: Encoding
    is_exact: bool = False
    percent: int = 100


# A rule of thumb: vocabularies of other vendors are of similar size, and a fifth is put on top.
OTHER_VENDORS = TokenScheme(encoding="o200k_base", percent=120)
