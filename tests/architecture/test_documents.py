"""Checked-in documents are in step with the code."""

import re
from pathlib import Path

from edison.app.hooks import install_hooks
from edison.settings import Settings
from scripts import write_hooks_table
from scripts.write_settings_page import PAGE, render

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "edison"
GROUPS = ("workspace", "library", "runs", "loops", "insights", "pipeline")


def _rooms_of_the_tree() -> list[str]:
    """The folders of `src/edison` with modules, and those of each group one level down."""
    parents = [SOURCE, *(SOURCE / group for group in GROUPS)]
    rooms = {module.parent for parent in parents for module in parent.glob("*/*.py")}
    return sorted(str(room.relative_to(SOURCE)) for room in rooms)


def _rooms_of_the_table() -> list[str]:
    page = (ROOT / "CONTRIBUTING.md").read_text()
    table = page.split("<!-- rooms -->")[1].split("<!-- /rooms -->")[0]
    return sorted(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE))


def test_contributing_lists_all_packages() -> None:
    assert _rooms_of_the_table() == _rooms_of_the_tree()


def test_the_settings_page_is_current() -> None:
    """Update with `make settings-page`."""
    assert PAGE.read_text() == render()


def test_every_setting_has_a_description() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_the_table_of_hooks_is_current() -> None:
    """Update with `make hooks-table`."""
    page = write_hooks_table.PAGE.read_text()
    assert page == write_hooks_table.insert(page, write_hooks_table.render())


def test_every_hook_has_a_listener() -> None:
    install_hooks()
    assert [name for name, hook in write_hooks_table.find_hooks() if not hook.listeners] == []
