"""Splits a long prompt into its named parts, marked by tags, BEGIN/END lines, headings or labels.
Material between matching tags is never searched for further parts, so that a judged output cannot
pose as an instruction.
"""

import re
from functools import lru_cache

_KINDS = (
    ("output_a", r"(?:output|answer|response|candidate|reply)[ _-]*(?:a|1|one|left)"),
    ("output_b", r"(?:output|answer|response|candidate|reply)[ _-]*(?:b|2|two|right)"),
    ("rubric", r"(?:evaluation |scoring )?(?:rubric|criteria)|rubric[ _]json|scoring guide"),
    ("weak", r"weak(?:est)?[ _](?:areas?|criteria|points)|problems"),
    (
        "failing",
        r"(?:failing|failed|worst|bad|low[- ]scoring)[ _]*(?:exemplars?|examples?|cases?|outputs?)"
        r"|inputs_outputs_feedback|examples? that failed",
    ),
    ("earlier", r"(?:earlier|previous|past)[ _](?:suggestions?|edits?)"),
    (
        "prompt",
        r"(?:current|existing|original|seed)[ _-]*(?:prompt|instructions?)(?:[ _]text)?|"
        r"prompt(?: to (?:improve|refine))?|curr_instructions|curr_param",
    ),
    ("goal", r"(?:current |experiment[ _])?(?:goal|objective|purpose)|task description"),
    ("expected", r"(?:expected|reference|gold(?:en)?|ideal)(?:[ _](?:output|answer|response))?"),
    ("input", r"(?:case[ _]|user[ _]|test[ _])?(?:inputs?|question|material)(?:[ _]json)?"),
    (
        "output",
        r"(?:model[ _]|the )?(?:outputs?|answers?|responses?|candidate|reply|completion)"
        r"(?:[ _](?:to (?:evaluate|judge|score|rate|grade)|text|under test))?|question to rate",
    ),
    (
        "instructions",
        r"(?:your )?(?:instructions?|task|output format|response format|requirements)"
        r"|return format",
    ),
    ("hints", r"(?:user )?hints?|domain(?:[ _]hints)?|topic|description"),
    ("variables", r"(?:prompt )?variables?(?:[ _]names?)?"),
)
_QUOTED = frozenset(
    {"output", "output_a", "output_b", "input", "expected", "prompt", "failing", "earlier", "hints"}
)
_NAMED = tuple((kind, re.compile(rf"^(?:{names})$", re.IGNORECASE)) for kind, names in _KINDS)
_TAG = re.compile(
    r"<([A-Za-z][A-Za-z_ -]*?)((?:[-_:](?=[A-Za-z]*\d)[0-9A-Za-z]{4,})?)(?: [^<>]*)?>[ \t]*\n?"
    r"(.*?)\n?</\1\2>",
    re.DOTALL,
)
_FRAME = re.compile(
    r"^\W*BEGIN[ _]([A-Za-z][A-Za-z_ ]*?)((?:[ _:-][0-9A-Fa-f]{4,})?)\W*\n"
    r"(.*?)\n\W*END[ _]\1\2\W*$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
# A fence right under a heading holds the whole part, including headings inside it.
_FENCE = re.compile(
    r"^[ \t]*(?:#{1,4}[ \t]+|\*\*)?([A-Za-z][A-Za-z_ ]{2,40}?)(:?)(?:\*\*)?:?[ \t]*\n+"
    r"(?:```|~~~)[a-z]*\n(.*?)\n[ \t]*(?:```|~~~)[ \t]*(?=\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
# A request after all the material, without its own heading.
_AFTERWORD = re.compile(
    r"\n\s*\n(?:Reply|Return|Respond|Answer|Give|Rate|Score|Output|Now|Decide|Generate)\b"
    r"(?:(?!\n\s*\n).)*\Z",
    re.DOTALL,
)
_HEADING = re.compile(
    r"^[ \t]*(?:#{1,4}[ \t]+([^\n#]{1,60}?)[ \t]*:?|\*\*([^*\n]{1,60}?):?\*\*:?|"
    r"([A-Z][A-Za-z_ -]{2,40}):)[ \t]*(?:\n|$)|^([A-Z][A-Za-z_ -]{2,30}):[ \t]+(?=\S)",
    re.MULTILINE,
)


@lru_cache(maxsize=4096)
def kind_of(title: str) -> str | None:
    plain = title.strip().strip("*#: ")
    return next((kind for kind, names in _NAMED if names.match(plain)), None)


@lru_cache(maxsize=512)
def sections(text: str) -> dict[str, str]:
    """Maps the kind of each part to its text. The first of a kind counts: later ones may be
    forged.
    """
    found: dict[str, str] = {}
    rest = text
    for marks in (_FRAME, _TAG, _FENCE):
        for match in marks.finditer(rest):
            kind = kind_of(match[1])
            if kind and kind not in found:
                found[kind] = match[3].strip("\n")
        rest = marks.sub(lambda m: "\n" if kind_of(m[1]) else m[0], rest)
    for kind, body in _headed(rest):
        if body and kind not in found:
            found[kind] = body
    return found


@lru_cache(maxsize=512)
def unquoted(text: str) -> str:
    """The template without the material it quotes. Only the text outside determines the request."""
    for kind, part in sections(text).items():
        if kind in _QUOTED and len(part) > 20:
            text = text.replace(part, " … ")
    return text


def opening_of(text: str) -> str:
    """The text before the first part."""
    for mark in (_HEADING, _FENCE, _FRAME, _TAG):
        titles = (
            match.start()
            for match in mark.finditer(text)
            if kind_of(next(group for group in match.groups() if group))
        )
        text = text[: next(titles, len(text))]
    return text


def _headed(text: str) -> list[tuple[str, str]]:
    """A part ends at the first heading of a new kind; a repeated heading is content of the part, as
    when an output has its own headings.
    """
    marks = []
    seen: set[str] = set()
    for match in _HEADING.finditer(text):
        kind = kind_of(next(group for group in match.groups() if group))
        if kind and kind not in seen:
            seen.add(kind)
            marks.append((kind, match.start(), match.end()))
    last = _AFTERWORD.search(text, marks[-1][2] if marks else 0)
    ends = [start for _, start, _ in marks[1:]] + [last.start() if last else len(text)]
    return [
        (kind, text[begin:end].strip()) for (kind, _, begin), end in zip(marks, ends, strict=False)
    ]
