"""Identity of a case: its normalised text, the hash of it, and the split derived from the hash.

Two cases are identical when their inputs differ only in letter case, character width and white
space. The split is derived from the same hash, so a case and its copy are always in the same split,
and re-importing a file splits it as before.
"""

import hashlib
import json
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from edison.library.datasets.contents import CaseContents, Split

DEFAULT_HOLDOUT_PERCENT = 20
_STEPS = 2**32


def normalise(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def hash_inputs(inputs: Mapping[str, Any]) -> str:
    """Equal for identical inputs; 64 hexadecimal digits."""
    text = json.dumps(_normalised(dict(inputs)), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def searchable_text(contents: CaseContents) -> str:
    """The text that search matches: values, expected answer and notes, normalised."""
    texts = [*texts_in(dict(contents.inputs)), contents.expected or "", contents.notes or ""]
    return "\n".join(normalise(text) for text in texts if text)


def assign_split(dataset_id: UUID, input_hash: str, *, holdout_percent: int) -> Split:
    """Deterministic: identical inputs are always in the same split of a dataset."""
    digest = hashlib.sha256(dataset_id.bytes + input_hash.encode()).digest()
    luck = int.from_bytes(digest[:4], "big")
    return Split.HOLDOUT if luck * 100 < holdout_percent * _STEPS else Split.TRAIN


def texts_in(value: Any) -> Iterator[str]:
    """Every value inside a JSON value as text, in order; keys are not values."""
    if isinstance(value, dict):
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_in(part)
    else:
        yield value if isinstance(value, str) else json.dumps(value)


def _normalised(value: Any) -> Any:
    if isinstance(value, str):
        return normalise(value)
    if isinstance(value, dict):
        return {key: _normalised(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_normalised(part) for part in value]
    # JSON has one number type: 1.0 equals 1, however a file or database writes it.
    return int(value) if isinstance(value, float) and value.is_integer() else value
