"""Documents that would otherwise fall behind the code."""

from edison.app.hooks import install_hooks
from edison.settings import Settings
from scripts import write_hooks_table
from scripts.write_settings_page import PAGE, render


def test_the_settings_page_is_current() -> None:
    """Mend it with `make settings-page`."""
    assert PAGE.read_text() == render()


def test_every_setting_says_what_it_means() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_the_table_of_hooks_is_current() -> None:
    """Mend it with `make hooks-table`."""
    page = write_hooks_table.PAGE.read_text()
    assert page == write_hooks_table.insert(page, write_hooks_table.render())


def test_every_hook_has_a_listener() -> None:
    install_hooks()
    assert [name for name, hook in write_hooks_table.find_hooks() if not hook.listeners] == []
