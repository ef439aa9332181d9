"""Findings about a prompt: errors that prevent runs, and likely mistakes.

A draft may be saved with any of them. A version may not have errors, because runs use it.
"""

from collections.abc import Iterator

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render import template
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.render.template import Syntax

SHORTEST_TEXT = 50
LONGEST_TEXT = 20_000
LONGEST_SYSTEM = 5_000
MOST_FEW_SHOTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFinding:
    field: str
    message: str
    code: str
    prevents_runs: bool = True


def list_findings(prompt: PromptTemplate) -> list[PromptFinding]:
    return [
        *_text_findings(prompt),
        *_few_shot_findings(prompt),
        *_template_findings(prompt),
        *_syntax_findings(prompt),
    ]


def check_runnable(prompt: PromptTemplate) -> None:
    """Raises Invalid with everything that prevents runs."""
    problems = [
        FieldProblem(field=finding.field, message=finding.message, code=finding.code)
        for finding in list_findings(prompt)
        if finding.prevents_runs
    ]
    if problems:
        raise Invalid(*problems)


def _text_findings(prompt: PromptTemplate) -> Iterator[PromptFinding]:
    length = len(prompt.text)
    if not prompt.text.strip():
        yield PromptFinding(field="text", message="Write the main text.", code="text_missing")
    elif length < SHORTEST_TEXT:
        yield PromptFinding(
            field="text",
            message=f"Prompts of fewer than {SHORTEST_TEXT} characters rarely say enough.",
            code="text_short",
            prevents_runs=False,
        )
    if length > LONGEST_TEXT:
        yield _too_long("text", "main text", length, LONGEST_TEXT)
    if len(prompt.system or "") > LONGEST_SYSTEM:
        yield _too_long("system", "system text", len(prompt.system or ""), LONGEST_SYSTEM)


def _few_shot_findings(prompt: PromptTemplate) -> Iterator[PromptFinding]:
    number = len(prompt.few_shots)
    if number > MOST_FEW_SHOTS:
        yield PromptFinding(
            field="few_shots",
            message=f"There are {number} examples; at most {MOST_FEW_SHOTS} are allowed.",
            code="few_shots_many",
        )
    for index, pair in enumerate(prompt.few_shots):
        for side, words in (("user", pair.user), ("assistant", pair.assistant)):
            field = f"few_shots.{index}.{side}"
            if not words.strip():
                yield PromptFinding(
                    field=field,
                    message=f"Example {index + 1} lacks its {side} side.",
                    code="few_shot_incomplete",
                )
            if len(words) > LONGEST_TEXT:
                yield _too_long(
                    field, f"{side} side of example {index + 1}", len(words), LONGEST_TEXT
                )


def _template_findings(prompt: PromptTemplate) -> Iterator[PromptFinding]:
    texts = {"system": prompt.system or "", "text": prompt.text}
    for index, pair in enumerate(prompt.few_shots):
        texts[f"few_shots.{index}.user"] = pair.user
        texts[f"few_shots.{index}.assistant"] = pair.assistant
    for field, text in texts.items():
        if problem := prompt.find_problem(text):
            yield PromptFinding(field=field, message=problem, code="template_invalid")


def _syntax_findings(prompt: PromptTemplate) -> Iterator[PromptFinding]:
    """Warn about placeholders of the other syntax, which are not replaced."""
    if prompt.syntax is Syntax.NUNJUCKS:
        return
    other = Syntax.SINGLE if prompt.syntax is Syntax.DOUBLE else Syntax.DOUBLE
    if other is Syntax.SINGLE and prompt.variables():
        # With both in one text, single braces are most likely literal.
        return
    foreign = template.parse_placeholders(prompt.text, other).variables
    if foreign:
        written = prompt.text[foreign[0].start : foreign[0].end]
        yield PromptFinding(
            field="syntax",
            message=f"{written} is of the {other} syntax; this prompt uses {prompt.syntax}.",
            code="other_syntax",
            prevents_runs=False,
        )


def _too_long(field: str, what: str, length: int, limit: int) -> PromptFinding:
    return PromptFinding(
        field=field,
        message=f"The {what} has {length:,} characters; at most {limit:,} are allowed.",
        code="too_long",
    )
