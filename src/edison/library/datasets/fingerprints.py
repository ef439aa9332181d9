"""What a case is recognised by: its normalised text, a hash of it, and the split that follows.

Two cases are the same when their inputs differ in nothing but capitals, the width of characters and
the amount of white space. The split follows from the same hash, so that a case and its copy are
never on both sides, and importing a file again divides it as before.
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
    """The same for inputs that are the same; 64 hexadecimal digits."""
    text = json.dumps(_normalised(dict(inputs)), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def searchable_text(contents: CaseContents) -> str:
    """What a search looks at: the values, the expected answer and the notes, normalised."""
    texts = [*texts_in(dict(contents.inputs)), contents.expected or "", contents.notes or ""]
    return "\n".join(normalise(text) for text in texts if text)


def assign_split(dataset_id: UUID, input_hash: str, *, holdout_percent: int) -> Split:
    """The same inputs always fall on the same side of the same dataset."""
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
    # JSON has one kind of number: 1.0 is 1, whichever way a file or a database writes it.
    return int(value) if isinstance(value, float) and value.is_integer() else value
