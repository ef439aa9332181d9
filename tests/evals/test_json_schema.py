"""The JSON Schema of configurations."""

import jsonschema_rs
import pytest

from edison.cli.init import CONTENT
from edison.evals.json_schema import configuration_schema

VALIDATOR = jsonschema_rs.validator_for(configuration_schema())


def test_the_first_configuration_fits() -> None:
    import yaml

    VALIDATOR.validate(yaml.safe_load(CONTENT))


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"prompt": ["a"]}, []),
        ({"tests": [{"assert": [{"type": "containz"}]}]}, ["tests"]),
        ({"tests": [{"asserts": []}]}, ["tests"]),
        ({"tags": {"a": 1}}, ["tags", "a"]),
    ],
)
def test_mistakes_are_found(wrong: dict[str, object], where: list[str]) -> None:
    (error,) = VALIDATOR.iter_errors(wrong)
    assert list(error.instance_path)[: len(where)] == where
