"""Host functions that sandboxed code may call. They run in Edison's process on untrusted arguments,
so each validates its arguments, and their total time is limited to the time limit of the code.
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from edison.pipeline.generate.tokens.encodings import count_encoded
from edison.pipeline.score.json_text import NotJson, read_json
from edison.pipeline.score.long_text import LONGEST_TEXT

_LONGEST_JSON = 1_000_000

Result = TypeVar("Result")


class HostFunctions:
    """The host functions of one program run."""

    def __init__(self, seconds: float) -> None:
        self._left_seconds = seconds

    def by_name(self) -> dict[str, Callable[..., Any]]:
        return {
            "similarity": self.similarity,
            "count_tokens": self.count_tokens,
            "parse_json": self.parse_json,
        }

    def similarity(self, one: Any, other: Any) -> float:
        """1 - edits / length of the longer text, as in the scorer `levenshtein`."""
        from rapidfuzz.distance.Levenshtein import normalized_similarity

        first, second = _text(one, LONGEST_TEXT), _text(other, LONGEST_TEXT)
        return self._timed(lambda: float(normalized_similarity(first, second)))

    def count_tokens(self, text: Any) -> int:
        """Tokens by OpenAI's o200k_base encoding."""
        counted = _text(text, _LONGEST_JSON)
        # The first count of a process loads a large file; that time is not charged to the code.
        count_encoded("", "o200k_base")
        return self._timed(lambda: count_encoded(counted, "o200k_base")[0])

    def parse_json(self, text: Any) -> Any:
        """Strict: no `NaN`, no fence, no prose around it."""
        read = _text(text, _LONGEST_JSON)
        try:
            return self._timed(lambda: read_json(read))
        except NotJson as wrong:
            # The sandbox has no NotJson exception.
            raise ValueError(f"Not JSON: {wrong}") from wrong

    def _timed(self, work: Callable[[], Result]) -> Result:
        if self._left_seconds <= 0:
            raise TimeoutError("The functions of Edison had all the time there was.")
        started = time.perf_counter()
        try:
            return work()
        finally:
            self._left_seconds -= time.perf_counter() - started


def _text(value: Any, longest: int) -> str:
    if type(value) is not str:
        raise TypeError("This function takes texts.")
    if len(value) > longest:
        raise ValueError(f"This function takes texts of at most {longest:,} characters.")
    return value
