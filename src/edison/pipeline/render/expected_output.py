"""What a prompt asks the answer to look like, told from the prompt's own words."""

import re
from dataclasses import dataclass

_RESPONSE_TAG = re.compile(r"<response>", re.IGNORECASE | re.ASCII)
_JSON_WORD = re.compile(r"\bjson\b", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedOutput:
    """With both, the answer's `<response>` section is JSON. An answer that does not keep to it is
    malformed.
    """

    wants_response: bool
    wants_json: bool

    @property
    def is_wholly_json(self) -> bool:
        """Whether nothing but JSON may be answered, which providers can be asked to ensure."""
        return self.wants_json and not self.wants_response


def detect(*texts: str) -> ExpectedOutput:
    """Looks at templates, not at rendered text: what a case says must not change the format."""
    return ExpectedOutput(
        wants_response=any(_RESPONSE_TAG.search(text) for text in texts),
        wants_json=any(_JSON_WORD.search(text) for text in texts),
    )
