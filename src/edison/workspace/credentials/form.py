"""Validates a credential against the provider's form, before the provider is called."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from edison.kit.errors import FieldProblem, Invalid
from edison.pipeline.generate import catalog
from edison.workspace.credentials.models import Credential


def check_fields(credential: Credential) -> None:
    """Refuse unknown providers, secrets among the settings, and fields that do not fit the form."""
    if credential.provider not in catalog.provider_keys():
        raise Invalid(
            FieldProblem(
                field="provider", message="There is no such provider.", code="unknown_provider"
            )
        )
    secret_fields = set(catalog.secret_fields(credential.provider))
    misplaced = [
        FieldProblem(field=f"settings.{name}", message="Enter this as a secret.", code="secret")
        for name in credential.settings.keys() & secret_fields
    ] + [
        FieldProblem(
            field=f"secrets.{name}", message="This field is not secret.", code="not_secret"
        )
        for name in credential.secrets.keys() - secret_fields
    ]
    if misplaced:
        raise Invalid(*misplaced)
    try:
        catalog.load_provider(credential.provider).model_validate(stand_ins(credential))
    except ValidationError as wrong:
        raise Invalid(*_problems(wrong, secret_fields)) from wrong


def stand_ins(credential: Credential) -> Mapping[str, Any]:
    """The credential's fields with placeholders for secrets: the provider validates secrets, and
    error messages must not quote them.
    """
    return credential.settings | dict.fromkeys(credential.secrets, "x" * 40)


def _problems(wrong: ValidationError, secret_fields: set[str]) -> list[FieldProblem]:
    problems = []
    for found in wrong.errors(include_input=False, include_context=False):
        name = str(found["loc"][0]) if found["loc"] else ""
        group = "secrets" if name in secret_fields else "settings"
        message = "This field is required." if found["type"] == "missing" else found["msg"]
        problems.append(
            FieldProblem(
                field=f"{group}.{name}".rstrip("."),
                message=message.removeprefix("Value error, "),
                code=found["type"],
            )
        )
    return problems
