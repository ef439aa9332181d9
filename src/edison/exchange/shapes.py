"""The shapes of other tools' dataset records. A shape is recognised by the fields of the first
record. Fields that no case has are named with a reason.
"""

from collections.abc import Mapping, Sequence
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


def _grouped(record: Record, groups: Mapping[str, str]) -> dict[str, Any]:
    """Columns of a CSV file as objects: `input_question` is `question` of the group of `input_`."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        prefix = next((each for each in groups if name.startswith(each) and name != each), None)
        if value == "":
            continue
        if prefix is None:
            found[name] = value
        else:
            found.setdefault(groups[prefix], {})[name.removeprefix(prefix)] = value
    return found


def _phoenix(record: Record) -> Record:
    """Columns of the CSV file: `input_question`, `output_answer`, `metadata_topic`."""
    if "example_id" not in record:
        return record
    return _grouped(record, {f"{name}_": name for name in ("input", "output", "metadata")})


# The CSV file has `input_question` and `output_answer`, a frame of the SDK `inputs.question`.
_LANGSMITH_COLUMNS = {
    "input_": "inputs", "inputs.": "inputs",
    "output_": "outputs", "outputs.": "outputs", "reference.": "outputs",
    "metadata_": "metadata", "metadata.": "metadata",
}  # fmt: skip


def _langsmith(record: Record) -> Record:
    if "inputs" not in record:
        record = _grouped(record, _LANGSMITH_COLUMNS)
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
        key="phoenix",
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
        key="langsmith",
        marks=(_marks("inputs", "outputs"), _marks("inputs", "source_run_id")),
        columns=(("input_", "output_"), ("inputs.", "outputs."), ("inputs.", "reference.")),
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
        key="inspect",
        marks=(_marks("input", "target"),),
        inputs=("input",),
        expected=("target",),
        more_inputs=("choices",),
        metadata=("metadata",),
        ignored={"id": _ID, "sandbox": _SANDBOX, "files": _SANDBOX, "setup": _SANDBOX},
    ),
    RecordShape(
        key="openai_samples",
        marks=(_marks("input", "ideal"), _marks("messages")),
        inputs=("input", "messages"),
        expected=("ideal",),
        metadata=("metadata",),
        ignored={"tools": _TOOLS, "parallel_tool_calls": _TOOLS},
        prepare=_samples,
    ),
)  # fmt: skip
