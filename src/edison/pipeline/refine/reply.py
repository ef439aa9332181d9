"""Reads a refiner's reply: a `<diff>` and a `<note>`, each exactly once. An empty diff is legal and
says that nothing needs to change.
"""

import re
from dataclasses import dataclass

from edison.pipeline.score.verdict import UnreadableVerdict

LONGEST_REPLY = 200_000
LONGEST_NOTE = 4000

FORM = """<diff>
--- a/prompt.txt
+++ b/prompt.txt
@@ -1,3 +1,3 @@
 a line that stays
-a line that goes
+a line that comes
 another line that stays
</diff>
<note>
What changes, and why it should help.
</note>"""

_FENCED = re.compile(r"```\w*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    diff: str
    note: str


def read_reply(said: str) -> Reply:
    """Raises UnreadableVerdict with a sentence that tells the model what is wrong."""
    if len(said) > LONGEST_REPLY:
        raise UnreadableVerdict("It is far too long.")
    note = _section(said, "note").strip()
    if not note:
        raise UnreadableVerdict("The note is empty: it has to say what changes and why.")
    diff = _section(said, "diff")
    fenced = _FENCED.fullmatch(diff.strip())
    return Reply(diff=fenced[1] if fenced else diff, note=note[:LONGEST_NOTE])


def _section(said: str, name: str) -> str:
    """What stands between the tags, without the line breaks next to them."""
    opening, closing = f"<{name}>", f"</{name}>"
    starts = [match.end() for match in re.finditer(rf"(?m)^[ \t]*{opening}", said)]
    ends = [match.start() for match in re.finditer(rf"(?m){closing}[ \t]*$", said)]
    if not starts:
        raise UnreadableVerdict(f"It has no {opening} at the beginning of a line.")
    if len(starts) > 1 or len(ends) > 1:
        raise UnreadableVerdict(f"It has more than one {opening} section.")
    if not ends or ends[0] < starts[0]:
        raise UnreadableVerdict(f"The {opening} section is not closed by {closing}.")
    return said[starts[0] : ends[0]].removeprefix("\r").removeprefix("\n")
