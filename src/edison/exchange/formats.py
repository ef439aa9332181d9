"""The formats that can be imported: their names, their files, and what their parts become."""

from collections.abc import Mapping, Sequence
from typing import Literal

from edison.kit.lazy_dataclasses import dataclass

FormatName = Literal[
    "bundle", "promptfoo", "openai_registry", "openai_evals", "openai_samples", "langfuse",
    "phoenix", "langsmith", "braintrust", "mlflow", "inspect", "deepeval",
]  # fmt: skip
PartKind = Literal["prompt", "dataset", "scorer", "model"]
CONFIGURATIONS = ("promptfoo", "openai_registry", "openai_evals")


@dataclass(frozen=True, slots=True)
class FileFormat:
    title: str
    description: str
    makes: Sequence[PartKind] = ("dataset",)


_EVERYTHING: Sequence[PartKind] = ("prompt", "dataset", "scorer", "model")
FORMATS: Mapping[FormatName, FileFormat] = {
    "bundle": FileFormat("Edison bundle", "A zip file from an export of Edison.", _EVERYTHING),
    "promptfoo": FileFormat(
        "promptfoo or edison.yaml",
        "promptfooconfig.yaml, or a zip of its folder if it names other files.",
        _EVERYTHING,
    ),
    "openai_registry": FileFormat(
        "OpenAI evals (registry)",
        "A zip of the registry folder with one eval and its samples.",
        ("prompt", "dataset", "scorer"),
    ),
    "openai_evals": FileFormat(
        "OpenAI evals (platform)",
        "JSON lines with the eval, a run and its items, as the API gives them.",
        _EVERYTHING,
    ),
    "openai_samples": FileFormat("OpenAI samples", "JSON lines with input or messages, and ideal."),
    "langfuse": FileFormat("Langfuse", "Dataset items from the API or the export: JSON or CSV."),
    "phoenix": FileFormat("Phoenix", "Examples of a dataset: JSON from the API, or CSV."),
    "langsmith": FileFormat("LangSmith", "Examples of a dataset: JSON, JSON lines or CSV."),
    "braintrust": FileFormat("Braintrust", "Rows of a dataset: JSON from the API, or CSV."),
    "mlflow": FileFormat("MLflow", "Records of an evaluation dataset: JSON or JSON lines."),
    "inspect": FileFormat("Inspect", "Samples: JSON, JSON lines or CSV."),
    "deepeval": FileFormat("DeepEval", "Goldens: JSON or CSV."),
}
