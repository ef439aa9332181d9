"""`edison init`: writes a first configuration that runs at once, on simulated models."""

import json
from pathlib import Path
from typing import Annotated

import typer

from edison.cli.context import context_of, fail

FILE = "edison.yaml"
CONTENT = """\
# yaml-language-server: $schema=./edison.schema.json
# Evaluate with: edison eval
# The keys are those of promptfoo configurations. This file runs without any API key: its
# providers are simulated. Replace them by real ones, such as openai:gpt-4o-mini.
description: Answers of a support assistant

prompts:
  - |-
    Answer the customer in one sentence.
    Customer: {{question}}
  - |-
    You are a polite support agent. Answer in at most two sentences, and say what happens next.
    Customer: {{question}}

providers:
  - sim:sim-small
  - sim:sim-medium

defaultTest:
  assert:
    - type: word-count
      value: {min: 3, max: 120}
    - type: not-icontains
      value: as an AI

tests:
  - description: refund
    vars:
      question: Where is my refund? I returned the shoes two weeks ago.
  - description: delivery
    vars:
      question: My parcel was delivered to the wrong address.
  - description: opening hours
    vars:
      question: Are you open on Sundays?
"""


def write(
    typer_context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="Folder for the file.")] = Path(),
) -> None:
    """Write a first edison.yaml, with its schema for editors. It runs at once, on simulated
    models.
    """
    from edison.evals.json_schema import FILE as SCHEMA
    from edison.evals.json_schema import configuration_schema

    context = context_of(typer_context)
    target = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with target.open("x", encoding="utf-8") as file:
            file.write(CONTENT)
        # Also over an earlier one: it belongs to this version of the program.
        schema = json.dumps(configuration_schema(), indent=2)
        (folder / SCHEMA).write_text(f"{schema}\n", encoding="utf-8")
    except FileExistsError:
        fail(f"{target} already exists.")
    except OSError as wrong:
        fail(f"{target} cannot be written: {wrong.strerror}.")
    context.report(f"Wrote {target}. Run it with `edison eval`.", written=target)
