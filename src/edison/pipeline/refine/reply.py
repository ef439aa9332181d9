"""Parses a refiner's reply: a `<diff>` and a `<note>`, each exactly once. An empty diff means that
nothing needs to change.
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

_DIFF = re.compile(r"^<diff>(?:[ \t]*\r?\n(.*?)^)?[ \t]*</diff>", re.DOTALL | re.MULTILINE)
_NOTE = re.compile(r"^<note>(.*?)</note>[ \t\r]*$", re.DOTALL | re.MULTILINE)
_FENCED = re.compile(r"```\w*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    diff: str
    note: str


def read_reply(said: str) -> Reply:
    """Raises UnreadableVerdict with a sentence that tells the model what is wrong."""
    if len(said) > LONGEST_REPLY:
        raise UnreadableVerdict("It is far too long.")
    # A prompt may contain such tags as well; inside a diff they never start a line.
    diff, rest = _cut(said, "diff", _DIFF)
    note, _ = _cut(rest, "note", _NOTE)
    if not note.strip():
        raise UnreadableVerdict("The note is empty: it has to say what changes and why.")
    fenced = _FENCED.fullmatch(diff.strip())
    return Reply(diff=fenced[1] if fenced else diff, note=note.strip()[:LONGEST_NOTE])


def _cut(said: str, name: str, section: re.Pattern[str]) -> tuple[str, str]:
    """Returns the content of the section, and the reply without the section."""
    openings = len(re.findall(rf"(?m)^<{name}>", said))
    if not openings:
        raise UnreadableVerdict(f"It has no <{name}> at the beginning of a line.")
    if openings > 1:
        raise UnreadableVerdict(f"It has more than one <{name}> section.")
    found = section.search(said)
    if found is None:
        raise UnreadableVerdict(f"The <{name}> section is not closed by </{name}>.")
    return found[1] or "", said[: found.start()] + said[found.end() :]
