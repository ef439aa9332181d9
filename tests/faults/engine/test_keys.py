"""A worker with another sealing key, which cannot open the stored secrets."""

from pathlib import Path

import pytest

from tests.faults.engine.evidence import find_incompleteness, find_repetitions
from tests.faults.engine.installation import Install

CASES = 20


@pytest.mark.everyday
def test_a_worker_with_another_sealing_key_refuses_to_start(
    install: Install, tmp_path: Path
) -> None:
    """It refuses to start, so that it claims no cells whose secrets it cannot open."""
    pytest.importorskip("edison.app.sealed_secrets")
    installation = install("postgresql", workers=1)
    run_id = installation.start_run(cases=CASES)
    code, said = installation.refused("worker", EDISON_DATA_DIR=str(tmp_path / "elsewhere"))

    assert code != 0, said
    assert "seal" in said
    assert "Traceback" not in said
    run = installation.finish(run_id)
    assert find_incompleteness(run) + find_repetitions(installation.provider.record()) == []
    assert run["error_count"] == 0
