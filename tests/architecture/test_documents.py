"""Documents that would otherwise fall behind the code."""

from edison.settings import Settings
from scripts.write_settings_page import PAGE, render


def test_the_settings_page_is_current() -> None:
    """Mend it with `make settings-page`."""
    assert PAGE.read_text() == render()


def test_every_setting_says_what_it_means() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []
