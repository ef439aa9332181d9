"""Texts as ASCII JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.kit.ascii_json import encode_text


@pytest.mark.parametrize("code", [*range(0x100), 0x2028, 0xD800, 0xFFFF, 0x10000])
def test_each_character_is_written_as_json_writes_it(code: int) -> None:
    text = f"a{chr(code)}b"
    assert encode_text(text) == json.dumps(text)


@given(st.one_of(st.text(alphabet=st.characters(max_codepoint=0x7F)), st.text()))
def test_texts_are_written_as_json_writes_them(text: str) -> None:
    assert encode_text(text) == json.dumps(text)
    assert encode_text(text).isascii()
