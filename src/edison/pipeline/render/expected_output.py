"""Detects the output format that a prompt asks for, from its text."""

import re
from functools import lru_cache

from edison.kit.lazy_dataclasses import dataclass

_RESPONSE_TAG = re.compile(r"<response>", re.IGNORECASE | re.ASCII)
_JSON_WORD = re.compile(r"\bjson\b", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedOutput:
    """With both, the answer's `<response>` section is JSON. An answer in another format is
    malformed.
    """

    wants_response: bool
    wants_json: bool

    @property
    def is_wholly_json(self) -> bool:
        """Whether the answer must be JSON only, which providers can enforce."""
        return self.wants_json and not self.wants_response


# A run asks for the same template with every case.
@lru_cache(maxsize=256)
def detect(*texts: str) -> ExpectedOutput:
    """Takes templates, not rendered text: the values of a case must not change the format."""
    return ExpectedOutput(
        wants_response=any(_RESPONSE_TAG.search(text) for text in texts),
        wants_json=any(_JSON_WORD.search(text) for text in texts),
    )
