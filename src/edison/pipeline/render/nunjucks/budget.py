"""Bounds of rendering one template: steps, and the length of texts and lists."""

from typing import Any

from edison.pipeline.render.nunjucks.lexer import TemplateError

MOST_STEPS = 200_000
LONGEST_TEXT = 5_000_000
# Work on a text costs a step for each of these characters.
_CHARACTERS_PER_STEP = 50


class TooMuchWork(TemplateError):
    """The template does more than it may."""

    def __init__(self) -> None:
        super().__init__("The template takes too long or makes too much text.")


class RenderBudget:
    def __init__(self, steps: int = MOST_STEPS, longest: int = LONGEST_TEXT) -> None:
        self._steps = steps
        self._longest = longest
        self._left = longest

    def spend(self, steps: int = 1) -> None:
        self._steps -= steps
        if self._steps < 0:
            raise TooMuchWork

    def text(self, length: float) -> None:
        """To be called before a text of this length is made or read."""
        if length > self._longest:
            raise TooMuchWork
        self.spend(1 + int(length) // _CHARACTERS_PER_STEP)

    def items(self, count: float) -> None:
        """To be called before a list of this size is made or read."""
        if count > self._steps:
            raise TooMuchWork
        self.spend(1 + int(count))

    def output(self, length: int) -> None:
        """To be called for each text that is written."""
        self._left -= length
        if self._left < 0:
            raise TooMuchWork
        self.spend(1 + length // _CHARACTERS_PER_STEP)

    def walk(self, value: Any) -> None:
        """To be called before a list or an object is made into text: it may hold the same list many
        times over, or itself.
        """
        open_values = [value]
        while open_values:
            found = open_values.pop()
            if isinstance(found, list | dict):
                self.items(len(found))
                open_values.extend(found.values() if isinstance(found, dict) else found)
