r"""Applies a diff to a text, exactly or not at all.

Removed and kept lines of a hunk must be in the text exactly as written. A hunk that is not where
its header says, or whose header is miscounted or has no numbers, is applied only if its lines occur
in exactly one place, with a note in `remarks`; a hunk without such lines must be where its header
says.

Two deviations are accepted, because the text resolves them: line breaks, when all of the text's or
all of the diff's are `\r\n`; and the end of the text, which stays as it was unless the diff says `\
No newline at end of file` there.
"""

from collections.abc import Sequence

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.refine.diff import (
    DiffProblem,
    Hunk,
    LineKind,
    is_ended,
    parse_diff,
    shortened,
    split_lines,
)

_LISTED_PLACES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Patched:
    """`remarks` are sentences about deviations of the diff from the text."""

    text: str
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """`at` is the text's line, from 0, before which the hunk's first line stands."""

    hunk: Hunk
    at: int
    remark: str | None = None

    @property
    def end(self) -> int:
        return self.at + len(self.hunk.old)

    def revised(self, lines: Sequence[str]) -> list[str]:
        """The hunk's new lines; kept lines are taken from the text."""
        kept = iter(
            lines[self.at + offset]
            for offset, line in enumerate(self.hunk.old)
            if line.kind is LineKind.KEPT
        )
        return [next(kept) if line.kind is LineKind.KEPT else line.text for line in self.hunk.new]


def apply_diff(text: str, diff: str, *, shown: str | None = None) -> Patched | DiffProblem:
    """A diff that is only white space changes nothing.

    `shown` is the text as the diff's author saw it, line for line, if it differs from the text:
    lines are matched against it, and kept lines stay as they are in the text.
    """
    seen = text if shown is None else shown
    exact = _apply(text, seen, diff)
    if isinstance(exact, Patched) or not (_has_only_crlf(text) or _has_only_crlf(diff)):
        return exact
    plain = _apply(*(part.replace("\r\n", "\n") for part in (text, seen, diff)))
    if isinstance(plain, DiffProblem) or not _has_only_crlf(text):
        return plain
    return Patched(text=plain.text.replace("\n", "\r\n"), remarks=plain.remarks)


def _has_only_crlf(text: str) -> bool:
    return 0 < text.count("\n") == text.count("\r\n")


def _apply(text: str, shown: str, diff: str) -> Patched | DiffProblem:
    hunks = parse_diff(diff)
    if isinstance(hunks, DiffProblem):
        return hunks
    placed = _place_all(split_lines(shown), hunks, is_terminated=is_ended(text))
    if isinstance(placed, DiffProblem):
        return placed
    lines = split_lines(text)
    result: list[str] = []
    position = 0
    for each in placed:
        result += lines[position : each.at]
        result += each.revised(lines)
        position = each.end
    result += lines[position:]
    ending = "\n" if result and _ends_in_break(placed, text) else ""
    remarks = tuple(each.remark for each in placed if each.remark)
    return Patched(text="\n".join(result) + ending, remarks=remarks)


def _ends_in_break(placed: Sequence[_Placed], text: str) -> bool:
    last = placed[-1] if placed else None
    if last is None or not any(line.is_unended for line in last.hunk.lines):
        return is_ended(text)
    return not (last.hunk.new and last.hunk.new[-1].is_unended)


def _place_all(
    lines: Sequence[str], hunks: Sequence[Hunk], *, is_terminated: bool
) -> list[_Placed] | DiffProblem:
    found: list[_Placed] = []
    for hunk in hunks:
        placed = _place(lines, hunk)
        if isinstance(placed, DiffProblem):
            return placed
        problem = _wrong_end(placed, len(lines), is_terminated=is_terminated)
        if problem is not None:
            return problem
        if found and placed.at < found[-1].end:
            message = f"Hunk {hunk.number} stands before or overlaps the one above it."
            return DiffProblem(message=message, hunk=hunk.number)
        found.append(placed)
    return found


def _place(lines: Sequence[str], hunk: Hunk) -> _Placed | DiffProblem:
    wanted = [line.text for line in hunk.old]
    if not wanted:
        return _place_by_number(lines, hunk)
    if hunk.start and not hunk.is_miscounted and _fits(lines, wanted, hunk.start - 1):
        return _Placed(hunk=hunk, at=hunk.start - 1)
    places = [at for at in range(len(lines) - len(wanted) + 1) if _fits(lines, wanted, at)]
    if len(places) == 1:
        return _Placed(hunk=hunk, at=places[0], remark=_remark(hunk, places[0]))
    if places:
        listed = ", ".join(str(at + 1) for at in places[:_LISTED_PLACES])
        message = (
            f"The lines of hunk {hunk.number} occur in {len(places)} places (lines {listed}), and "
            "its header does not tell which: give it more context."
        )
        return DiffProblem(message=message, hunk=hunk.number)
    return _mismatch(lines, hunk)


def _place_by_number(lines: Sequence[str], hunk: Hunk) -> _Placed | DiffProblem:
    if hunk.is_miscounted or hunk.start is None or hunk.start > len(lines):
        message = (
            f"Hunk {hunk.number} only adds lines and has no context, so it is unclear where "
            "they belong."
        )
        return DiffProblem(message=message, hunk=hunk.number)
    return _Placed(hunk=hunk, at=hunk.start)


def _fits(lines: Sequence[str], wanted: Sequence[str], at: int) -> bool:
    return list(lines[at : at + len(wanted)]) == list(wanted)


def _remark(hunk: Hunk, at: int) -> str:
    if hunk.start is None:
        return f"Hunk {hunk.number} has no line numbers; it belongs to line {at + 1}."
    if at == hunk.start - 1:
        return f"Hunk {hunk.number} has other numbers of lines than its header says."
    return f"Hunk {hunk.number} belongs to line {at + 1}, not to line {hunk.start}."


def _mismatch(lines: Sequence[str], hunk: Hunk) -> DiffProblem:
    """Reports the first line that differs, at the position where most lines match."""
    wanted = [line.text for line in hunk.old]

    def agreeing(at: int) -> int:
        here = lines[at : at + len(wanted)]
        return sum(line == one for line, one in zip(here, wanted, strict=False) if one.strip())

    stated = max((hunk.start or 1) - 1, 0)
    # Of positions that match equally well, the one in the header.
    best = max([stated, *range(len(lines))], key=agreeing)
    at = best if agreeing(best) else stated
    for offset, line in enumerate(hunk.old):
        place = at + offset
        if place >= len(lines):
            what = f"the prompt ends before {shortened(line.text)}."
            return DiffProblem.at(hunk.number, line.number, what)
        if lines[place] != line.text:
            verb = "removes" if line.kind is LineKind.REMOVED else "expects"
            what = (
                f"it {verb} {shortened(line.text)}, but line {place + 1} of the prompt is "
                f"{shortened(lines[place])}."
            )
            return DiffProblem.at(hunk.number, line.number, what)
    raise AssertionError("A hunk that fits is not a mismatch.")


def _wrong_end(placed: _Placed, count: int, *, is_terminated: bool) -> DiffProblem | None:
    """Checks the diff's statements about the end of the text."""
    old, new = placed.hunk.old, placed.hunk.new
    unended = [line for line in old if line.is_unended]
    if unended and (is_terminated or placed.end != count or unended != [old[-1]]):
        what = "no line break is said to follow it, but one does."
        return DiffProblem.at(placed.hunk.number, unended[0].number, what)
    unended = [line for line in new if line.is_unended]
    if unended and (placed.end != count or unended != [new[-1]]):
        what = "no line break is said to follow it, but the prompt goes on."
        return DiffProblem.at(placed.hunk.number, unended[0].number, what)
    return None
