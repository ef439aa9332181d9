"""The shapes of other tools' dataset records. A shape is recognised by the fields of the first
record. Fields that no case has are named with a reason.
"""

from collections.abc import Sequence
from typing import Any

from edison.exchange.record_shape import Record, RecordShape
from edison.exchange.values import is_chat

_ID = "Edison gives cases ids of its own."
_TIME = "Edison keeps the time of the import."
_TRACE = "Edison's cases have no link to a trace."
_OWNER = "It names the dataset or the project in the other tool."
_ANSWER = "It is an answer of your application, not a part of a case."
_SANDBOX = "Edison has no files or sandboxes for a case."
_TOOLS = "Cases have no tool calls; an assertion can check them."


def _marks(*names: str) -> frozenset[str]:
    return frozenset(names)


def _langfuse(record: Record) -> Record | str:
    return "It is archived in Langfuse." if record.get("status") == "ARCHIVED" else record


def _phoenix(record: Record) -> Record:
    """Columns of the CSV file: `input_question`, `output_answer`, `metadata_topic`."""
    if "example_id" not in record:
        return record
    found: dict[str, Any] = {}
    for name, value in record.items():
        group, _, member = name.partition("_")
        if member and group in ("input", "output", "metadata") and value != "":
            found.setdefault(group, {})[member] = value
        elif value != "":
            found[name] = value
    return found


def _langsmith(record: Record) -> Record:
    metadata = record.get("metadata")
    if not isinstance(metadata, dict) or "dataset_split" not in metadata:
        return record
    rest = {name: each for name, each in metadata.items() if name != "dataset_split"}
    return {"split": metadata["dataset_split"], **record, "metadata": rest}


def _mlflow(record: Record) -> Record:
    """The expected response is the expected answer; other expectations are notes."""
    wanted = record.get("expectations")
    if not isinstance(wanted, dict):
        return record
    for name in ("expected_response", "expected_answer", "answer"):
        if isinstance(wanted.get(name), str):
            rest = {key: each for key, each in wanted.items() if key != name}
            return {**record, "expectations": wanted[name], "other_expectations": rest or None}
    return record


def _deepeval(record: Record) -> Record | str:
    if record.get("scenario") and not record.get("input"):
        return "It is a conversation of several turns; Edison's cases have one question each."
    return record


def _samples(record: Record) -> Record:
    """Without an ideal answer, the last message of the assistant is it."""
    chat: Any = record.get("messages")
    if "ideal" in record or not is_chat(chat) or chat[-1].get("role") != "assistant":
        return record
    return {**record, "messages": chat[:-1], "ideal": chat[-1].get("content")}


SHAPES: Sequence[RecordShape] = (
    RecordShape(
        key="langfuse",
        title="Langfuse",
        marks=(
            _marks("input", "expectedOutput", "datasetId"),
            _marks("input", "expectedOutput", "status"),
            _marks("input", "sourceTraceId"),
        ),
        inputs=("input",),
        expected=("expectedOutput",),
        metadata=("metadata",),
        dataset_name="datasetName",
        ignored={
            "id": _ID, "projectId": _OWNER, "datasetId": _OWNER,
            "sourceTraceId": _TRACE, "sourceObservationId": _TRACE,
            "createdAt": _TIME, "updatedAt": _TIME, "validFrom": _TIME,
            "status": "Only active items are imported.",
        },
        prepare=_langfuse,
    ),
    RecordShape(
        key="deepeval",
        title="DeepEval",
        marks=(
            _marks("input", "expected_output"), _marks("input", "expectedOutput"),
            _marks("input", "actual_output"), _marks("input", "retrieval_context"),
            _marks("scenario", "expected_outcome"),
        ),
        inputs=("input",),
        expected=("expected_output", "expectedOutput"),
        more_inputs=("context", "retrieval_context", "retrievalContext"),
        metadata=("additional_metadata", "additionalMetadata", "custom_column_key_values"),
        notes=("name", "comments"),
        ignored={
            "actual_output": _ANSWER, "actualOutput": _ANSWER,
            "tools_called": _TOOLS, "expected_tools": _TOOLS,
            "source_file": _OWNER, "sourceFile": _OWNER,
        },
        prepare=_deepeval,
    ),
    RecordShape(
        key="mlflow",
        title="MLflow",
        marks=(_marks("inputs", "expectations"), _marks("inputs", "dataset_record_id")),
        inputs=("inputs",),
        expected=("expectations",),
        tags=("tags",),
        notes=("other_expectations",),
        ignored={
            "dataset_record_id": _ID, "dataset_id": _OWNER, "outputs": _ANSWER,
            "source": _TRACE, "source_id": _TRACE, "source_type": _TRACE, "trace": _TRACE,
            "created_time": _TIME, "create_time": _TIME, "last_update_time": _TIME,
            "created_by": _TIME, "last_updated_by": _TIME,
        },
        prepare=_mlflow,
    ),
    RecordShape(
        key="langsmith",
        title="LangSmith",
        marks=(_marks("inputs", "outputs"), _marks("inputs", "source_run_id")),
        inputs=("inputs",),
        expected=("outputs",),
        metadata=("metadata",),
        notes=("name",),
        split=("split",),
        dataset_name="dataset_name",
        ignored={
            "id": _ID, "dataset_id": _OWNER, "source_run_id": _TRACE, "attachment_urls": _SANDBOX,
            "attachments": _SANDBOX, "created_at": _TIME, "modified_at": _TIME, "runs": _ANSWER,
        },
        prepare=_langsmith,
    ),
    RecordShape(
        key="braintrust",
        title="Braintrust",
        marks=(_marks("input", "expected"), _marks("input", "_xact_id")),
        inputs=("input",),
        expected=("expected",),
        metadata=("metadata",),
        tags=("tags",),
        dataset_name="dataset_name",
        ignored={
            "id": _ID, "_xact_id": _ID, "_pagination_key": _ID, "created": _TIME,
            "dataset_id": _OWNER, "project_id": _OWNER, "root_span_id": _TRACE,
            "span_id": _TRACE, "is_root": _TRACE, "origin": _TRACE,
        },
    ),
    RecordShape(
        key="phoenix",
        title="Phoenix",
        marks=(
            _marks("input", "output", "metadata"), _marks("input", "output", "node_id"),
            _marks("example_id"),
        ),
        inputs=("input",),
        expected=("output",),
        metadata=("metadata",),
        split=("split", "splits"),
        ignored={"id": _ID, "node_id": _ID, "example_id": _ID, "updated_at": _TIME},
        prepare=_phoenix,
    ),
    RecordShape(
        key="inspect",
        title="Inspect",
        marks=(_marks("input", "target"),),
        inputs=("input",),
        expected=("target",),
        more_inputs=("choices",),
        metadata=("metadata",),
        ignored={"id": _ID, "sandbox": _SANDBOX, "files": _SANDBOX, "setup": _SANDBOX},
    ),
    RecordShape(
        key="openai_samples",
        title="OpenAI samples",
        marks=(_marks("input", "ideal"), _marks("messages")),
        inputs=("input", "messages"),
        expected=("ideal",),
        metadata=("metadata",),
        ignored={"tools": _TOOLS, "parallel_tool_calls": _TOOLS},
        prepare=_samples,
    ),
)  # fmt: skip
