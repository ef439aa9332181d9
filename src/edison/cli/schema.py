"""`edison schema`: prints the JSON Schema of configurations."""

import json


def print_schema() -> None:
    """Print the JSON Schema of edison.yaml, for editors."""
    from edison.evals.json_schema import configuration_schema

    print(json.dumps(configuration_schema(), indent=2))  # noqa: T201 - this is the output
