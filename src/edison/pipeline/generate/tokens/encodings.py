"""OpenAI's encodings, from bundled rank files; nothing is fetched."""

import lzma
import re
from binascii import a2b_base64
from collections.abc import Iterator
from importlib.resources import files
from threading import Lock
from typing import TYPE_CHECKING, Literal

from edison.kit.memory import return_freed_memory

if TYPE_CHECKING:
    from tiktoken import Encoding

EncodingName = Literal["o200k_base", "cl100k_base"]

# The pattern that splits text into words fails on longer runs of white space.
LONGEST_PIECE = 50_000
_SEAM_WINDOW = 2_000
_PARSED_AT_ONCE = 10_000
_SAME_DIGIT = bytes.maketrans(b"123456789", b"0" * 9)
_LINE_END = re.compile(r"\n(?=[^\s/])")

_loaded: dict[EncodingName, "Encoding"] = {}
_loading = Lock()


def count_encoded(text: str, name: EncodingName) -> tuple[int, bool]:
    """Returns the number of tokens, and whether it is exact. Special tokens are counted as plain
    text. Linear in the length of the text.
    """
    encoding = _load(name)
    if len(text) <= LONGEST_PIECE:
        return len(encoding.encode_ordinary(text)), True
    total, is_exact = 0, True
    for piece, is_clean in _pieces(text):
        total += len(encoding.encode_ordinary(piece))
        is_exact = is_exact and is_clean
    return total, is_exact


def split_at_lines(text: str) -> list[str]:
    """Parts whose token counts add up to that of the text. Every encoding starts a new word between
    a line break and a character that is neither white space nor a slash.
    """
    # Splitting after the line breaks takes three times as long as adding them again.
    *lines, last = _LINE_END.split(text)
    return [*[f"{line}\n" for line in lines], last]


def without_digits(text: str) -> str:
    """A text of as many tokens, the same for texts that differ only in their digits. Every encoding
    has a token for each number of up to three digits, and cuts longer ones into those.
    """
    # Translating a text that is not ASCII takes twenty times as long as its bytes.
    written = text.encode(errors="surrogatepass").translate(_SAME_DIGIT)
    return written.decode(errors="surrogatepass")


def read_ranks(name: EncodingName) -> bytes:
    """The rank file as OpenAI publishes it."""
    packed = files(__package__) / "data" / f"{name}.tiktoken.xz"
    return lzma.decompress(packed.read_bytes())


def _load(name: EncodingName) -> "Encoding":
    found = _loaded.get(name)
    if found is not None:
        return found
    # Takes half a second; the lock keeps threads from repeating the work.
    with _loading:
        if name not in _loaded:
            _loaded[name] = _build(name)
        return _loaded[name]


def _build(name: EncodingName) -> "Encoding":
    import tiktoken

    ranks = _ranks(name)
    built = tiktoken.Encoding(
        name=name, pat_str=_PATTERNS[name], mergeable_ranks=ranks, special_tokens={}
    )
    # It counts with a copy of its own; this one takes 28 MB.
    ranks.clear()
    return_freed_memory()
    return built


def _ranks(name: EncodingName) -> dict[bytes, int]:
    """Parses lines of a token in base64 and its rank, without a step of Python for each. In parts,
    since no other thread runs during one.
    """
    parts = read_ranks(name).split()
    ranks: dict[bytes, int] = {}
    for first in range(0, len(parts), _PARSED_AT_ONCE):
        some = parts[first : first + _PARSED_AT_ONCE]
        ranks.update(zip(map(a2b_base64, some[::2]), map(int, some[1::2]), strict=True))
    return ranks


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Splits the text into bounded pieces, each with whether it ends at a seam."""
    start = 0
    while len(text) - start > LONGEST_PIECE:
        end = start + LONGEST_PIECE
        seam = _last_seam(text, end)
        yield text[start : seam or end], seam is not None
        start = seam or end
    yield text[start:], True


def _last_seam(text: str, end: int) -> int | None:
    """The last position before `end` where every encoding starts a new word: a single space between
    letters or digits.
    """
    for place in range(end - 1, max(end - _SEAM_WINDOW, 0), -1):
        if text[place] == " " and text[place - 1].isalnum() and text[place + 1].isalnum():
            return place
    return None


# As published in tiktoken's `openai_public`, which would fetch the rank files.
_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_PATTERNS: dict[EncodingName, str] = {
    "o200k_base": "|".join(
        (
            rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_CONTRACTION}",
            rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_CONTRACTION}",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        )
    ),
    "cl100k_base": "|".join(
        (
            r"'(?i:[sdmt]|ll|ve|re)",
            r"[^\r\n\p{L}\p{N}]?+\p{L}++",
            r"\p{N}{1,3}+",
            r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
            r"\s++$",
            r"\s*[\r\n]",
            r"\s+(?!\S)",
            r"\s",
        )
    ),
}
