"""Secrets at rest."""

import base64
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edison.kit.sealing import CannotOpen, add_sealing_key, load_sealing_keys


@given(secret=st.text())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
def test_sealed_text_can_be_opened_and_hides_its_content(tmp_path: Path, secret: str) -> None:
    keys = load_sealing_keys(tmp_path)
    sealed = keys.seal(secret)
    assert keys.open(sealed) == secret
    assert sealed != keys.seal(secret)
    if len(secret) > 3:
        assert secret not in sealed


def test_the_key_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    sealed = load_sealing_keys(tmp_path / "keys").seal("x")
    (file,) = (tmp_path / "keys").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert load_sealing_keys(tmp_path / "keys").open(sealed) == "x"


def test_a_new_key_seals_and_the_old_one_still_opens(tmp_path: Path) -> None:
    old = load_sealing_keys(tmp_path).seal("x")
    add_sealing_key(tmp_path)
    keys = load_sealing_keys(tmp_path)
    assert keys.open(old) == "x"
    assert not keys.is_current(old)
    assert keys.is_current(keys.seal("x"))


def test_a_key_that_another_process_added_is_found(tmp_path: Path) -> None:
    running = load_sealing_keys(tmp_path)
    add_sealing_key(tmp_path)
    resealed = load_sealing_keys(tmp_path).seal("x")
    assert running.open(resealed) == "x"
    assert running.is_current(running.seal("x"))
    assert running.is_current(resealed)


@pytest.mark.parametrize("damage", ["", "x", "nobody.AAAA", "flip"])
def test_foreign_and_damaged_texts_do_not_open(tmp_path: Path, damage: str) -> None:
    keys = load_sealing_keys(tmp_path)
    sealed = keys.seal("secret")
    if damage == "flip":
        name, _, content = sealed.partition(".")
        raw = bytearray(base64.b64decode(content))
        raw[-1] ^= 1
        damage = f"{name}.{base64.b64encode(raw).decode()}"
    with pytest.raises(CannotOpen):
        keys.open(damage)
