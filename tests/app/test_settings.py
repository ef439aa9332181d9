"""Sources of settings, and invalid settings."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from edison.settings import Settings, load_settings


def test_variables_win_over_the_file_and_the_file_over_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "edison.toml"
    file.write_text('port = 9000\nhost = "0.0.0.0"\n')
    monkeypatch.setenv("EDISON_PORT", "9001")
    settings = load_settings(config=file)
    assert (settings.port, settings.host, settings.session_days) == (9001, "0.0.0.0", 7)


def test_the_file_in_the_data_directory_is_found(tmp_path: Path) -> None:
    (tmp_path / "edison.toml").write_text("port = 9000\n")
    assert load_settings(data_dir=tmp_path).port == 9000


def test_a_misspelt_key_in_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "edison.toml").write_text("prot = 9000\n")
    with pytest.raises(ValidationError, match="prot"):
        load_settings(data_dir=tmp_path)


@pytest.mark.parametrize(
    ("given", "resolved"),
    [
        ("postgres://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgresql://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgresql+asyncpg://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("sqlite:////tmp/x.db", "sqlite+aiosqlite:////tmp/x.db"),
        ("sqlite+aiosqlite:////tmp/x.db", "sqlite+aiosqlite:////tmp/x.db"),
    ],
)
def test_database_urls_get_their_async_driver(given: str, resolved: str, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, database_url=given)
    assert settings.resolved_database_url == resolved
    assert settings.is_embedded is resolved.startswith("sqlite")


@pytest.mark.parametrize(
    ("name", "value"),
    [("port", 70000), ("public_url", "edison.example"), ("registration", "maybe")],
)
def test_invalid_values_are_refused(name: str, value: object, tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match=name):
        Settings(data_dir=tmp_path, **{name: value})


def test_secrets_do_not_show_when_settings_are_printed(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, smtp_password="hunter2", metrics_token="hunter3")
    assert "hunter" not in repr(settings)
