"""Providers are found by their files, describe their forms, and import nothing until used."""

import subprocess
import sys
from pathlib import Path

import pytest

from edison.kit.registry import keys_of
from edison.pipeline.generate import catalog, providers
from edison.pipeline.generate.provider import Provider

VENDORS = ("pydantic_ai", "openai", "anthropic", "google.genai", "boto3", "botocore", "httpx2")
NEW_PROVIDER = """
from typing import ClassVar
from edison.pipeline.generate.providers.scripted import Scripted as Base

class Newcomer(Base):
    title: ClassVar[str] = "Newcomer"
    is_hidden: ClassVar[bool] = False
"""


def test_every_file_is_a_provider() -> None:
    folder = Path(providers.__path__[0])
    files = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    assert set(keys_of(catalog.PACKAGE)) >= files
    for key in files:
        assert issubclass(catalog.load_provider(key), Provider)


def test_people_may_choose_every_provider_but_the_script() -> None:
    assert set(catalog.provider_keys()) >= {
        "anthropic",
        "azure",
        "bedrock",
        "ollama",
        "openai",
        "openai_compatible",
        "vertex",
    }
    assert "scripted" not in catalog.provider_keys()


def test_adding_a_file_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "newcomer.py").write_text(NEW_PROVIDER)
    monkeypatch.setattr(providers, "__path__", [*providers.__path__, str(tmp_path)])
    keys_of.cache_clear()
    catalog.provider_keys.cache_clear()
    try:
        assert "newcomer" in catalog.provider_keys()
        assert catalog.load_provider("newcomer").title == "Newcomer"
    finally:
        keys_of.cache_clear()
        catalog.provider_keys.cache_clear()


def test_an_unknown_key_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        catalog.load_provider("nonesuch")


@pytest.mark.parametrize("key", [key for key in catalog.provider_keys() if key != "sim"])
def test_forms_can_be_drawn(key: str) -> None:
    form = catalog.form_of(key)
    assert form["description"]
    assert form["additionalProperties"] is False
    for field in form["properties"].values():
        assert field["title"]
        assert field["description"].endswith(".")


def test_secret_fields_are_known_and_marked() -> None:
    secrets = {
        "anthropic": ("api_key",),
        "azure": ("api_key",),
        "bedrock": ("secret_access_key", "session_token", "api_key"),
        "ollama": ("api_key",),
        "openai": ("api_key",),
        "openai_compatible": ("api_key",),
        "vertex": ("service_account",),
    }
    for key, fields in secrets.items():
        assert catalog.secret_fields(key) == fields
        properties = catalog.form_of(key)["properties"]
        for name in fields:
            marks = [properties[name], *properties[name].get("anyOf", [])]
            assert any(mark.get("writeOnly") and mark["format"] == "password" for mark in marks)


def test_no_vendors_library_is_loaded_before_a_call() -> None:
    program = (
        "import sys; from edison.pipeline.generate import catalog; "
        "[catalog.form_of(key) for key in catalog.provider_keys()]; "
        f"print([name for name in {VENDORS!r} if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert shown.stdout.decode().strip() == "[]"
