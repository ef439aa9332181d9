r"""Quotes untrusted text for a judge, so that it cannot be read as instructions.

Each part stands between tags that end in a number. The number is derived from the parts, so the
same question gives the same prompt (and is answered from the cache), and it occurs in none of them,
so no part can close a tag or open another.

Characters that could mislead readers or models are written as `[U+202E]`: invisible characters,
characters that change text direction, the special tokens by which models separate speakers, and
tags that look like the quoting tags. Joiners and emoji selectors, which languages and emoji need,
are kept.
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256

from edison.kit.lazy_dataclasses import dataclass

_NUMBER_DIGITS = 16

_LINE_BREAK = re.compile(r"\r\n?|[\u2028\u2029\x85\x0b\x0c]")
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # controls, except tabs and line breaks
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a"
    r"\ud800-\udfff"  # lone surrogates
    r"\U000e0000-\U000e0fff]"  # tags and selectors that can carry hidden text
)
# Bounded repeats: an answer of a million spaces must not take hours.
_OPENING = re.compile(
    r"[<\[\uff1c\ufe64\u2039](?:"
    r"(?<=<)(?=[|\uff5c]|/?s>|(?:start|end)_of_turn>|/?(?:bos|eos|pad|unk)>|</?SYS>>)"
    r"|(?<=\[)(?=/?INST\])"
    r"|(?<!\[)(?=\s{0,9}[/\uff0f]?\s{0,9}"
    r"(?:(?:goal|rubric|input|expected|output(?:[\s_.-]?[ab])?)[\s_:.-]{0,9}\d"
    # By any name, also in other alphabets: only the quoting tags have so long a number.
    r"|\w{1,40}?[\s_:.-]{0,9}\d{12})))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Each part between its tags; `number` is the suffix of the tags."""

    number: str
    parts: Mapping[str, str]

    @property
    def text(self) -> str:
        """All parts joined."""
        return "\n\n".join(self.parts.values())


def quote(parts: Mapping[str, str]) -> Quoted:
    """Puts each part between tags of its name."""
    neutral = {name: neutralise(text) for name, text in parts.items()}
    number = _number_for(neutral.values())
    return Quoted(
        number=number,
        parts={
            name: f"<{name}-{number}>\n{text}\n</{name}-{number}>" for name, text in neutral.items()
        },
    )


def neutralise(text: str) -> str:
    if not _is_plain(text):
        text = _UNSEEN.sub(_written_out, _LINE_BREAK.sub("\n", text))
    return _OPENING.sub(_written_out, text)


def _is_plain(text: str) -> bool:
    """Whether it is lines of printable ASCII, which the patterns of single characters would search
    ten times as long.
    """
    return text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()


def _written_out(match: re.Match[str]) -> str:
    return f"[U+{ord(match[0]):04X}]"


def _number_for(parts: Iterable[str]) -> str:
    """A text cannot practically contain a number derived from its own digest; checked anyway."""
    texts = tuple(parts)
    digest = sha256()
    for text in texts:
        digest.update(f"{len(text)}:{text}".encode())
    while True:
        number = str(int.from_bytes(digest.digest()) % 10**_NUMBER_DIGITS).zfill(_NUMBER_DIGITS)
        if not any(number in text for text in texts):
            return number
        digest.update(b"again")
