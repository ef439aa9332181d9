"""Text embeddings from a table of word vectors that comes with the extra `embeddings`.

The table and its tokenizer are read from the installed package's files. The package itself is never
imported: its loader looks for the tokenizer on the internet, and its import configures logging for
the whole process.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np

_PACKAGE = "wordllama"
_WEIGHTS = Path("weights") / "l2_supercat_256.safetensors"
_TENSOR = "embedding.weight"
_TOKENIZER = Path("tokenizers") / "l2_supercat_tokenizer_config.json"

if TYPE_CHECKING:
    from edison.kit.lazy_numpy import NDArray

    Vector = NDArray[np.float32]
else:
    # Reading a type of NumPy loads it.
    Vector = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticVectors:
    """One vector per token; a text's vector is the mean of its tokens' vectors."""

    table: "NDArray[np.float16]"
    tokenizer: Any

    def embed(self, text: str) -> Vector | None:
        """None for a text without tokens."""
        tokens: Sequence[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        if not tokens:
            return None
        vector: Vector = self.table[tokens].mean(axis=0, dtype=np.float32)
        return vector


def cosine(first: Vector, second: Vector) -> float:
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / lengths if lengths else 0.0


@cache
def load_vectors() -> StaticVectors:
    """Takes a second the first time. Raises ModuleNotFoundError without the extra."""
    from safetensors import safe_open
    from tokenizers import Tokenizer

    folder = _folder()
    with safe_open(folder / _WEIGHTS, framework="np") as weights:
        table = weights.get_tensor(_TENSOR)
    tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return StaticVectors(table=table, tokenizer=tokenizer)


def _folder() -> Path:
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(_PACKAGE)
    return Path(found.origin).parent
