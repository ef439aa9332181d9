"""Hints for mistyped names."""

from edison.kit.nearest import did_you_mean, find_nearest


def test_the_nearest_name_is_suggested_whatever_its_case() -> None:
    assert did_you_mean("Prompt", ["prompts", "providers"]) == " Did you mean “prompts”?"
    assert find_nearest("demo projekt", ["Demo project", "support"]) == "Demo project"


def test_nothing_is_suggested_that_is_not_alike() -> None:
    assert did_you_mean("xyz", ["prompts", "providers"]) == ""
    assert find_nearest("xyz", []) is None
