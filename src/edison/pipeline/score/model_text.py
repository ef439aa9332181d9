"""What models are told, as Markdown files: a header, then the texts, between lines of `---`.

A file's name ends in its version and is stored with what it brought forth, so that results say
which words produced them. A file is never edited after its release; new words are a new file.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from edison.pipeline.render.template import Syntax, Template, parse


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelText:
    """`system` and `question` are said first, `repair` after a reply that cannot be used."""

    title: str
    system: Template
    question: Template
    repair: Template


@cache
def read_model_text(package: str, name: str) -> ModelText:
    """The file `name` in the folder of a package."""
    text = (files(package) / f"{name}.md").read_text(encoding="utf-8")
    _, header, *bodies = text.split("---\n")
    facts = dict(line.split(": ", 1) for line in header.splitlines())
    system, question, repair = (parse(body.strip(), Syntax.DOUBLE) for body in bodies)
    return ModelText(title=facts["title"], system=system, question=question, repair=repair)
