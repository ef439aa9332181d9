"""A case's text as the measures read it: its beginning, in lower case and as words."""

import re
from collections.abc import Mapping
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.values import value_text

# The rest of a long text rarely changes the result.
LOOKED_AT = 1_000

_WORD = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]|[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseText:
    text: str
    lowered: str
    words: tuple[str, ...]


def read_inputs(inputs: Mapping[str, Any]) -> CaseText:
    text = "\n".join(value_text(value) for value in inputs.values())[:LOOKED_AT]
    lowered = text.lower()
    return CaseText(text=text, lowered=lowered, words=tuple(_WORD.findall(lowered)))
