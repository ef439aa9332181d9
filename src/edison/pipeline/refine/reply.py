"""Parses a refiner's reply: a `<diff>` and a `<note>`, each exactly once, and at most once each the
whole new `<system_text>` and `<few_shots>`. An empty diff without these means that nothing needs to
change.
"""

import json
import re

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.prompt_template import FewShot
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

EXTRA = """<system_text>
The whole new system text.
</system_text>
<few_shots>
[{"user": "a question", "assistant": "the answer that should come"}]
</few_shots>"""

_DIFF = re.compile(r"^<diff>(?:[ \t]*\r?\n(.*?)^)?[ \t]*</diff>", re.DOTALL | re.MULTILINE)
_NOTE = re.compile(r"^<note>(.*?)</note>[ \t\r]*$", re.DOTALL | re.MULTILINE)
_SYSTEM = re.compile(r"^<system_text>[ \t]*\r?\n(.*?)^</system_text>", re.DOTALL | re.MULTILINE)
_FEW_SHOTS = re.compile(r"^<few_shots>(.*?)^</few_shots>", re.DOTALL | re.MULTILINE)
# JSON can hide them behind escapes; no version may contain them.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_FENCED = re.compile(r"```\w*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinerReply:
    """`system` and `few_shots` are None where the reply leaves them as they are."""

    diff: str
    note: str
    system: str | None = None
    few_shots: tuple[FewShot, ...] | None = None


def read_reply(said: str) -> RefinerReply:
    """Raises UnreadableVerdict with a sentence that tells the model what is wrong."""
    if len(said) > LONGEST_REPLY:
        raise UnreadableVerdict("It is far too long.")
    # A prompt may contain such tags as well; inside a diff they never start a line.
    diff, rest = _cut(said, "diff", _DIFF)
    note, rest = _cut(rest, "note", _NOTE)
    if not note.strip():
        raise UnreadableVerdict("The note is empty: it has to say what changes and why.")
    fenced = _FENCED.fullmatch(diff.strip())
    return RefinerReply(
        diff=fenced[1] if fenced else diff,
        note=note.strip()[:LONGEST_NOTE],
        system=_read_system(rest),
        few_shots=_read_few_shots(rest),
    )


def _read_system(said: str) -> str | None:
    if not re.search(r"(?m)^<system_text>", said):
        return None
    text, _ = _cut(said, "system_text", _SYSTEM)
    return text.strip()


def _read_few_shots(said: str) -> tuple[FewShot, ...] | None:
    if not re.search(r"(?m)^<few_shots>", said):
        return None
    written, _ = _cut(said, "few_shots", _FEW_SHOTS)
    fenced = _FENCED.fullmatch(written.strip())
    try:
        rows = json.loads(fenced[1] if fenced else written)
        return tuple(
            FewShot(user=_text(row["user"]), assistant=_text(row["assistant"])) for row in rows
        )
    except (ValueError, TypeError, KeyError, RecursionError) as wrong:
        raise UnreadableVerdict(
            "The <few_shots> section is not a JSON list of objects with the texts user and "
            "assistant."
        ) from wrong


def _text(value: object) -> str:
    if not isinstance(value, str) or _UNPRINTABLE.search(value):
        raise ValueError
    return value.replace("\r\n", "\n").replace("\r", "\n")


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
