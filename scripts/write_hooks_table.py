"""Writes the table of hooks into `docs/architecture.md`, between its two marks.

python scripts/write_hooks_table.py
"""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import edison
from edison.app.hooks import install_hooks
from edison.kit.hook import Hook

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
BEGIN, END = "<!-- hooks -->\n", "<!-- /hooks -->\n"


def find_hooks() -> Iterator[tuple[str, "Hook[..., object]"]]:
    """Each hook with its path, such as `workspace.projects.service.on_created`."""
    seen: set[int] = set()
    for module in sorted(each.name for each in pkgutil.walk_packages(edison.__path__, "edison.")):
        if module.startswith("edison.migrations") or module.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(module)).items():
            if isinstance(value, Hook) and id(value) not in seen:
                seen.add(id(value))
                yield f"{module.removeprefix('edison.')}.{name}", value


def render() -> str:
    install_hooks()
    lines = ["| hook | fires | listeners |", "|---|---|---|"]
    for name, hook in find_hooks():
        listeners = [
            f"`{each.__module__.removeprefix('edison.')}.{each.__name__}`"
            for each in hook.listeners
        ]
        lines.append(f"| `{name}` | {hook.when} | {', '.join(listeners)} |")
    return "\n".join(lines) + "\n"


def insert(page: str, table: str) -> str:
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}{table}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(insert(PAGE.read_text(), render()))
