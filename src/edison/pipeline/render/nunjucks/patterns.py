"""Regular expressions in templates, matched in linear time."""

from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.nunjucks.budget import RenderBudget
from edison.pipeline.render.nunjucks.javascript import UNDEFINED, JavaScriptError


@dataclass(frozen=True, slots=True)
class Pattern:
    compiled: Any
    is_global: bool

    @classmethod
    def of(cls, source: str, flags: str) -> "Pattern":
        import re2  # type: ignore[import-untyped] # has no types

        marks = "".join(flag for flag in flags if flag in "im")
        try:
            compiled = re2.compile(f"(?{marks}){source}" if marks else source)
        except re2.error as wrong:
            raise JavaScriptError(f"Invalid regular expression: /{source}/") from wrong
        return cls(compiled, "g" in flags)

    def match(self, text: str) -> Any:
        if self.is_global:
            found = [each.group(0) for each in self.compiled.finditer(text)]
            return found or None
        first = self.compiled.search(text)
        if first is None:
            return None
        return [UNDEFINED if each is None else each for each in (first.group(0), *first.groups())]

    def split(self, text: str) -> list[Any]:
        return [UNDEFINED if each is None else each for each in self.compiled.split(text)]

    def replace(self, text: str, replacement: str, budget: RenderBudget) -> str:
        parts = []
        position = 0
        for found in self.compiled.finditer(text):
            parts.append(text[position : found.start()])
            parts.append(_filled(replacement, found))
            budget.text(len(parts[-1]))
            position = found.end()
            if not self.is_global:
                break
        parts.append(text[position:])
        return "".join(parts)


def _filled(replacement: str, found: Any) -> str:
    """`$1` and `$&` in a replacement."""
    if "$" not in replacement:
        return replacement
    made = replacement.replace("$&", found.group(0))
    for number, group in enumerate(found.groups(), start=1):
        made = made.replace(f"${number}", group or "")
    return made.replace("$$", "$")
