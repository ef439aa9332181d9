"""YAML of bundles keeps every text and number as it is."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from edison.loops.bundles.yaml_text import read_yaml, write_yaml

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    [
        "yes",
        "no",
        "null",
        "1e3",
        "0x1F",
        "2026-01-01",
        "12:30:00",
        "~",
        "",
        " leading",
        "trailing \n",
        "a\n\n  b\t\n",
        "\n\nfirst",
        "line\r\nend",
        "{{name}}: [x] # y",
        "- item",
        "\u0085\u2028\u2029\ufeff",
        "&a *a !tag %dir @at `tick`",
    ]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_values_come_back_as_they_were(value: Any) -> None:
    assert read_yaml(write_yaml({"value": value}), part="x.yaml") == {"value": value}
