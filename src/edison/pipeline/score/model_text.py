"""Prompts for models as Markdown files: a header, then the texts, separated by lines of `---`.

A file's name ends in its version and is stored with the results, so that they are traceable to the
exact wording. A released file is never edited; new wording is a new file.
"""

from functools import cache
from importlib.resources import files

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.template import Syntax, Template, parse


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelText:
    """`system` and `question` start the conversation; `repair` follows an unusable reply."""

    title: str
    system: Template
    question: Template
    repair: Template


@cache
def read_model_text(package: str, name: str) -> ModelText:
    """Reads `name`.md from the folder of a package."""
    text = (files(package) / f"{name}.md").read_text(encoding="utf-8")
    _, header, *bodies = text.split("---\n")
    facts = dict(line.split(": ", 1) for line in header.splitlines())
    system, question, repair = (parse(body.strip(), Syntax.DOUBLE) for body in bodies)
    return ModelText(title=facts["title"], system=system, question=question, repair=repair)
