"""Combines two prompts that descend from the same one.

Parts are exchanged whole: sections under the same heading, the system text, the examples. Prompts
without such differences are merged: the edits of both are applied to their common ancestor, where
they do not overlap.
"""

import random
import re
from dataclasses import replace

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.refine.alignment import Block, differing_blocks
from edison.pipeline.refine.diff import is_ended, split_lines
from edison.pipeline.render.prompt_template import PromptTemplate

# Markdown headings, and tags that stand alone on a line.
_HEADING = re.compile(r"#{1,6}[ \t]+\S|<[A-Za-z][\w.:-]*>[ \t]*$")
_SYSTEM, _EXAMPLES = "system", "examples"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """`text` includes the heading. `key` is the heading with its number among equal ones; that of
    the text before the first heading is empty.
    """

    key: str
    text: str


def split_sections(text: str) -> list[Section]:
    """The sections in order; their texts joined are the text."""
    groups: list[list[str]] = [[]]
    for line in text.splitlines(keepends=True):
        if _HEADING.match(line.strip()):
            groups.append([])
        groups[-1].append(line)
    found: list[Section] = []
    counts: dict[str, int] = {}
    for at, lines in enumerate(groups):
        heading = "" if at == 0 else lines[0].strip()
        counts[heading] = counts.get(heading, 0) + 1
        if lines:
            key = heading if counts[heading] == 1 else f"{heading} ({counts[heading]})"
            found.append(Section(key=key, text="".join(lines)))
    return found


def cross(
    first: PromptTemplate,
    second: PromptTemplate,
    *,
    ancestor: PromptTemplate,
    draw: random.Random,
) -> PromptTemplate | None:
    """A child that differs from both parents; None when there is none."""
    child = _exchange(first, second, draw) or _merge(ancestor, first, second)
    return child if child not in (first, second) else None


def _exchange(
    first: PromptTemplate, second: PromptTemplate, draw: random.Random
) -> PromptTemplate | None:
    """Draws each differing part from one of the parents, at least one from each. None when fewer
    than two parts differ.
    """
    theirs = {each.key: each.text for each in split_sections(second.text)}
    sections = split_sections(first.text)
    differing = [each.key for each in sections if theirs.get(each.key, each.text) != each.text]
    if (first.system or "") != (second.system or ""):
        differing.append(_SYSTEM)
    if first.few_shots != second.few_shots:
        differing.append(_EXAMPLES)
    if len(differing) < 2:
        return None
    taken = {key for key in differing if draw.random() < 0.5}
    if not taken:
        taken = {draw.choice(differing)}
    elif len(taken) == len(differing):
        taken.remove(draw.choice(differing))
    text = "".join(
        _ended(theirs[each.key], each.text) if each.key in taken else each.text for each in sections
    )
    return replace(
        first,
        text=text,
        system=second.system if _SYSTEM in taken else first.system,
        few_shots=second.few_shots if _EXAMPLES in taken else first.few_shots,
    )


def _ended(text: str, instead_of: str) -> str:
    """The last section of a text may have no line break, which others need."""
    ending = instead_of[len(instead_of.rstrip()) :]
    return text.rstrip() + ending


def _merge(
    ancestor: PromptTemplate, first: PromptTemplate, second: PromptTemplate
) -> PromptTemplate | None:
    """The edits of both parents to the main text, together; None when one of them has none. Where
    they overlap, those of the first apply.
    """
    old = split_lines(ancestor.text)
    one, two = split_lines(first.text), split_lines(second.text)
    ours, theirs = differing_blocks(old, one), differing_blocks(old, two)
    if not ours or not theirs:
        return None
    edits = [(each.start, each.end, one[each.new_start : each.new_end]) for each in ours]
    for block in theirs:
        edit = (block.start, block.end, two[block.new_start : block.new_end])
        if edit not in edits and not any(_overlap(block, each) for each in ours):
            edits.append(edit)
    lines: list[str] = []
    position = 0
    # Stable: of insertions at the same place, the first parent's come first.
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        lines += [*old[position:start], *new]
        position = end
    lines += old[position:]
    break_at_end = "\n" if is_ended(first.text) else ""
    return replace(first, text="\n".join(lines) + break_at_end)


def _overlap(one: Block, other: Block) -> bool:
    return one.start < other.end and other.start < one.end
