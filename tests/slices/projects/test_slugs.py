"""Slugs: readable, short, unique, and never mistaken for an id."""

import asyncio
import re
import unicodedata
from itertools import islice
from uuid import UUID

import pytest
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st

from edison.workspace.projects.names import check_name, slug_candidates
from tests.support.browser import Browser

NAMES = st.text(
    st.characters(categories=["L", "M", "Nd"], include_characters=" -_"), min_size=1, max_size=100
).filter(str.strip)
HEX_NAMES = st.text("0123456789abcdefABCDEF- ", min_size=28, max_size=50).filter(str.strip)


def is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def first(name: str) -> str:
    return next(slug_candidates(name))


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Support replies", "support-replies"),
        ("  Many   spaces --- and dashes ", "many-spaces-and-dashes"),
        ("Café Zoë Ångström", "cafe-zoe-angstrom"),
        ("Straße", "strasse"),
        ("my_project", "myproject"),
        ("- edge -", "edge"),
        ("客户支持", "project"),
        ("---", "project"),
        ("客户 v2", "v2"),
        ("x" * 100, "x" * 50),
        ("a" * 49 + " tail", "a" * 49),
    ],
)
def test_a_slug_is_the_name_in_kebab_case(name: str, slug: str) -> None:
    assert first(name) == slug


def test_a_taken_slug_gets_a_number() -> None:
    assert list(islice(slug_candidates("Engine"), 3)) == ["engine", "engine-1", "engine-2"]


def test_a_name_that_reads_like_an_id_gets_another_slug() -> None:
    identifier = "12345678-1234-5678-1234-567812345678"
    assert first(identifier) == f"{identifier}-1"
    assert "f" * 31 + "-1" not in list(islice(slug_candidates("f" * 31), 5))


@settings(deadline=None)
@given(st.one_of(NAMES, HEX_NAMES))
def test_every_slug_fits_into_an_address(name: str) -> None:
    candidates = list(islice(slug_candidates(name), 30))
    # A cut name may itself end in a number, so one candidate may come twice.
    assert len(set(candidates)) >= 29
    for slug in candidates:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)
        assert len(slug) <= 50
        assert not is_uuid(slug)


@settings(deadline=None)
@given(NAMES)
def test_allowed_names_pass_the_check_unchanged_but_trimmed(name: str) -> None:
    assert check_name(name) == name.strip()


@settings(deadline=None)
@given(st.text(max_size=20))
def test_no_other_character_ever_passes(name: str) -> None:
    try:
        kept = check_name(name)
    except ValueError:
        return
    assert all(
        unicodedata.category(character)[0] in "LM"
        or unicodedata.category(character) == "Nd"
        or character in " -_"
        for character in kept
    )


async def test_twenty_projects_of_one_name_made_at_once_get_twenty_slugs(
    ada: Browser, app: FastAPI
) -> None:
    responses = await asyncio.gather(
        *(ada.post("/api/v1/projects", json={"name": "Rush"}) for _ in range(20))
    )
    assert {response.status_code for response in responses} == {201}
    slugs = {response.json()["slug"] for response in responses}
    assert slugs == {"rush", *(f"rush-{number}" for number in range(1, 20))}


async def test_many_projects_of_one_name_find_their_slugs(ada: Browser) -> None:
    for _ in range(60):
        last = await ada.post("/api/v1/projects", json={"name": "Again"})
    assert last.json()["slug"] == "again-59"
