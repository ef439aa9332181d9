"""Datasets of other tools: recognised from their content, with the exact cases they become."""

from pathlib import Path
from typing import Any

import pytest

from edison.exchange.drafts import Draft
from edison.exchange.errors import ImportRefused
from edison.exchange.recognise import recognise
from edison.exchange.records import read_records

FILES = Path(__file__).parent / "files"
PARCEL = {"question": "Where is my parcel?"}
TOMORROW = "It arrives tomorrow."
CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Capital of France?"},
]


def read(path: Path) -> tuple[str, Draft]:
    found = recognise(path, path.name, None)
    return found.format, read_records(found, name=path.stem, most_cases=100)


def cases_of(draft: Draft) -> list[dict[str, Any]]:
    (dataset,) = draft.datasets
    return [each.model_dump(mode="json", exclude_defaults=True) for each in dataset.cases]


EXPECTED: dict[str, tuple[str, str, list[dict[str, Any]], dict[str, int]]] = {
    "langfuse.json": (
        "langfuse",
        "support-questions",
        [
            {
                "inputs": {**PARCEL, "language": "en"},
                "expected": TOMORROW,
                "tags": ["topic: delivery"],
                "difficulty": 2,
                "notes": 'context: {"carrier":"DHL"}',
            },
            {
                "inputs": {"input": "How do I return a shirt?"},
                "expected": "Use the label in the box.",
            },
        ],
        {"id": 2, "datasetId": 2, "status": 2, "createdAt": 2, "updatedAt": 2}
        | {"sourceTraceId": 1, "record": 1},
    ),
    "phoenix.json": (
        "phoenix",
        "phoenix",
        [{"inputs": PARCEL, "expected": TOMORROW, "tags": ["topic: delivery"]}],
        {"id": 1, "updated_at": 1},
    ),
    "phoenix.csv": (
        "phoenix",
        "phoenix",
        [{"inputs": PARCEL, "expected": TOMORROW, "tags": ["topic: delivery"]}],
        {"example_id": 1},
    ),
    "langsmith.jsonl": (
        "langsmith",
        "langsmith",
        [
            {
                "inputs": PARCEL,
                "expected": TOMORROW,
                "tags": ["topic: delivery"],
                "split": "holdout",
                "notes": "#1 @ support",
            },
            {
                "inputs": {"messages": [{"role": "user", "content": "Hello"}]},
                "expected": "Hi there",
                "split": "train",
            },
        ],
        {"id": 2, "dataset_id": 2, "created_at": 2, "modified_at": 2, "source_run_id": 1},
    ),
    "langsmith.csv": (
        "langsmith",
        "langsmith",
        [
            {
                "inputs": {**PARCEL, "language": "en"},
                "expected": TOMORROW,
                "tags": ["topic: delivery"],
                "split": "holdout",
            },
            {
                "inputs": {"question": [{"role": "user", "content": "Hello"}]},
                "expected": '{"answer":"Hi there","mood":"good"}',
                "split": "train",
            },
        ],
        {"id": 2, "created_at": 2},
    ),
    "braintrust.json": (
        "braintrust",
        "braintrust",
        [
            {
                "inputs": PARCEL,
                "expected": TOMORROW,
                "tags": ["delivery"],
                "difficulty": 3,
                "notes": 'tags: ["a, b"]',
            }
        ],
        dict.fromkeys(
            ("id", "_xact_id", "created", "project_id", "dataset_id", "root_span_id", "span_id"), 1
        )
        | {"is_root": 1},
    ),
    "mlflow.json": (
        "mlflow",
        "mlflow",
        [
            {
                "inputs": PARCEL,
                "expected": TOMORROW,
                "tags": ["topic: delivery"],
                "notes": '{"expected_facts":["tomorrow"]}',
            },
            {
                "inputs": {"question": "How do I return a shirt?"},
                "expected": '{"expected_facts":["label","box"]}',
            },
        ],
        {"dataset_record_id": 2, "dataset_id": 2, "created_time": 2, "last_update_time": 2}
        | {"source": 1, "source_type": 1},
    ),
    "inspect.jsonl": (
        "inspect",
        "inspect",
        [
            {
                "inputs": {"input": "Which is a mammal?", "choices": ["whale", "shark"]},
                "expected": "A",
                "tags": ["topic: biology"],
            },
            {"inputs": {"messages": CHAT}, "expected": '["Paris","paris"]'},
        ],
        {"id": 2, "files": 1, "sandbox": 1},
    ),
    "deepeval.json": (
        "deepeval",
        "deepeval",
        [
            {
                "inputs": {
                    "input": "Where is my parcel?",
                    "context": ["Parcels take two days."],
                },
                "expected": TOMORROW,
                "tags": ["topic: delivery"],
                "notes": "Parcel\nasked often",
            }
        ],
        {"source_file": 1, "record": 1},
    ),
    "openai-samples.jsonl": (
        "openai_samples",
        "openai-samples",
        [
            {"inputs": {"messages": CHAT}, "expected": "Paris"},
            {"inputs": {"input": "Capital of Spain?"}, "expected": "Madrid"},
        ],
        {},
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_dataset_becomes_these_cases(name: str) -> None:
    recognised, title, cases, left_out = EXPECTED[name]
    found, draft = read(FILES / name)
    assert (found, draft.name, cases_of(draft)) == (recognised, title, cases)
    assert {each.what: each.count for each in draft.left_out} == left_out
    assert all(each.reason.endswith(".") for each in draft.left_out)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "  \n", "The file is empty."),
        (
            "a.json",
            '[\n {"input": 1 "a": 2}\n]',
            "Line 2, column 14: this is not valid JSON: Expecting ',' delimiter.",
        ),
        (
            "a.jsonl",
            '{"input": "a", "target": "b"}\n{"input": \n',
            "Line 2, column 11: this is not valid JSON: Expecting value.",
        ),
        ("a.csv", "input,target\na,b,c\n", "Line 2: the row has 3 cells and the header 2."),
        ("a.yaml", "prompts: [a\n", "a.yaml:2:1: This is not valid YAML: did not find expected"),
        ("a.json", '[{"input": "a", "target": "b"}, 3]', "Record 2 is not an object."),
        ("a.json", '[{"input": "", "target": "b"}]', "Record 1 has no input."),
        ("a.json", "[" * 100_000 + "]" * 100_000, "The values are nested too deeply."),
        (
            "a.json",
            '[{"colour": "red"}]',
            "The format of the file is not known. Known are: Edison",
        ),
        (
            "a.txt",
            "just words",
            "The format of the file is not known. Known are: Edison bundle, promptfoo or edison",
        ),
    ],
)
def test_a_wrong_file_is_refused_with_the_place(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ImportRefused) as refused:
        read(path)
    (problem,) = refused.value.problems
    assert problem.message.startswith(message)


def test_a_file_with_too_many_records_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text('{"input": "a", "target": "b"}\n' * 101)
    with pytest.raises(ImportRefused) as refused:
        read(path)
    assert refused.value.problems[0].code == "too_many"
