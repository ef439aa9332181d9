import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { PhaseTimeline } from "./phase-timeline";

it("does not say of a phase with progress that it has not started", () => {
  const phases = [
    { key: "executing", label: "Ask the models", status: "current", detail: "95%" },
    { key: "judging", label: "Judge answers", status: "waiting", detail: "90%" },
    { key: "refining", label: "Suggest a change", status: "waiting" },
  ] as const;
  render(<PhaseTimeline label="Phases" phases={phases} />);
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent.trim())).toEqual([
    "Ask the models: in progress95%",
    "Judge answers90%",
    "Suggest a change: not started",
  ]);
});
