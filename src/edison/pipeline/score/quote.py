r"""Quotes material for a judge so that it stays material, whatever it says.

Each part stands between tags that end in a number. The number is derived from the parts, so the
same question reads the same (and is answered from the cache), and it occurs in none of them, so
nothing inside can close a tag or open another.

What readers and models could be misled by is written out as `[U+202E]`: characters that cannot be
seen or turn the order round, the tokens by which models tell speakers apart, and tags that look
like ours. Joiners and the emoji selectors, which languages and emoji need, stay.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

_NUMBER_DIGITS = 16

_LINE_BREAK = re.compile(r"\r\n?|[\u2028\u2029\x85\x0b\x0c]")
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # controls, but for tabs and line breaks
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a"
    r"\ud800-\udfff"  # halves of characters
    r"\U000e0000-\U000e0fff]"  # tags and selectors that can carry hidden text
)
# Bounded repeats: an answer of a million spaces must not take hours.
_OPENING = re.compile(
    r"[<\[\uff1c\ufe64\u2039](?:"
    r"(?<=<)(?=[|\uff5c]|/?s>|(?:start|end)_of_turn>|/?(?:bos|eos|pad|unk)>|</?SYS>>)"
    r"|(?<=\[)(?=/?INST\])"
    r"|(?<!\[)(?=\s{0,9}[/\uff0f]?\s{0,9}"
    r"(?:(?:goal|rubric|input|expected|output(?:[\s_.-]?[ab])?)[\s_:.-]{0,9}\d"
    # By any name, also in other alphabets: nothing but our tags has so long a number.
    r"|\w{1,40}?[\s_:.-]{0,9}\d{12})))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Every part between its tags; `number` is what the tags end in."""

    number: str
    parts: Mapping[str, str]

    @property
    def text(self) -> str:
        """All parts, one after the other."""
        return "\n\n".join(self.parts.values())


def quote(parts: Mapping[str, str]) -> Quoted:
    """Put the parts between tags of their names."""
    neutral = {name: neutralise(text) for name, text in parts.items()}
    number = _number_for(neutral.values())
    return Quoted(
        number=number,
        parts={
            name: f"<{name}-{number}>\n{text}\n</{name}-{number}>" for name, text in neutral.items()
        },
    )


def neutralise(text: str) -> str:
    seen = _UNSEEN.sub(_written_out, _LINE_BREAK.sub("\n", text))
    return _OPENING.sub(_written_out, seen)


def _written_out(match: re.Match[str]) -> str:
    return f"[U+{ord(match[0]):04X}]"


def _number_for(parts: Iterable[str]) -> str:
    """Nobody can write a text that holds the number derived from it, but it costs little to be
    sure.
    """
    texts = tuple(parts)
    digest = sha256()
    for text in texts:
        digest.update(f"{len(text)}:{text}".encode())
    while True:
        number = str(int.from_bytes(digest.digest()) % 10**_NUMBER_DIGITS).zfill(_NUMBER_DIGITS)
        if not any(number in text for text in texts):
            return number
        digest.update(b"again")
