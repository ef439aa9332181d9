"""The report of an optimization as a file."""

from tests.slices.experiments.lab import RULES
from tests.slices.optimizations.workshop import Workshop

SENTENCE = (
    "> Candidate 2 looked better by 1.2 on training cases; held out +1.2 (+0.4 to +1.2) on 10 "
    "cases: promoted. It was test 1 on these cases, at a significance level of 0.030."
)


async def test_a_report_states_verdict_candidates_and_costs(shop: Workshop) -> None:
    draft = await shop.make(generations=1)
    url = f"{shop.project_url}/optimizations/{draft['id']}/report/export"
    early = await shop.dataset.editor.get(url, params={"format": "md"})
    assert "It has no result yet: it is draft." in early.text
    await shop.do(f"/optimizations/{draft['id']}/start")
    await shop.until_ended(draft)
    written = await shop.dataset.editor.get(url, params={"format": "md"})
    lines = written.text.splitlines()
    assert lines[0] == "# Kinder replies"
    assert SENTENCE in lines
    assert "> The search ended after all generations." in lines
    assert "| Candidate 2 | 1 | 5.6 | +1.2 | 8 | Finalist |" in lines
    assert "| Test on held-out cases | 2 | 10 |" in written.text
    assert f"+{RULES[0]}" in lines
    printed = await shop.dataset.editor.get(url)
    assert (printed.headers["content-type"], printed.content[:5]) == ("application/pdf", b"%PDF-")
    wrong = await shop.dataset.editor.get(url, params={"format": "docx"})
    assert wrong.status_code == 400
