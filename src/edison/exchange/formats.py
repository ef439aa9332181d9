"""The formats that can be imported, for people who choose one."""

from collections.abc import Sequence

from edison.exchange.recognise import CONFIGURATIONS, FORMATS, FormatName
from edison.exchange.schemas import FormatRead, PartKind

_EVERYTHING: list[PartKind] = ["prompt", "dataset", "scorer", "model"]
_TEXTS: dict[FormatName, tuple[str, str]] = {
    "bundle": ("Edison bundle", "A zip file from an export of Edison."),
    "promptfoo": (
        "promptfoo or edison.yaml",
        "promptfooconfig.yaml, or a zip of its folder if it names other files.",
    ),
    "openai_registry": (
        "OpenAI evals, registry",
        "A zip of the registry folder with one eval and its samples.",
    ),
    "openai_evals": (
        "OpenAI evals, platform",
        "JSON lines with the eval, a run and its items, as the API gives them.",
    ),
    "openai_samples": ("OpenAI samples", "JSON lines with input or messages, and ideal."),
    "langfuse": ("Langfuse", "Dataset items from the API or the export: JSON or CSV."),
    "phoenix": ("Phoenix", "Examples of a dataset: JSON from the API, or CSV."),
    "langsmith": ("LangSmith", "Examples of a dataset: JSON or JSON lines."),
    "braintrust": ("Braintrust", "Rows of a dataset: JSON from the API, or CSV."),
    "mlflow": ("MLflow", "Records of an evaluation dataset: JSON or JSON lines."),
    "inspect": ("Inspect", "Samples: JSON, JSON lines or CSV."),
    "deepeval": ("DeepEval", "Goldens: JSON or CSV."),
}


def _made_of(key: FormatName) -> list[PartKind]:
    if key == "openai_registry":
        return ["prompt", "dataset", "scorer"]
    return _EVERYTHING if key in (*CONFIGURATIONS, "bundle") else ["dataset"]


def list_formats() -> Sequence[FormatRead]:
    return [
        FormatRead(
            key=each,
            title=_TEXTS[each][0],
            description=_TEXTS[each][1],
            makes=_made_of(each),
        )
        for each in FORMATS
    ]
