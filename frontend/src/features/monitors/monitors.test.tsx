import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { aDataset, aScorerKind } from "@/testing/library-builders";
import { aCheck, aMonitor, aMonitorEstimate, aTrend } from "@/testing/monitor-builders";
import { axeViolations, renderPage } from "@/testing/render";
import { aRun } from "@/testing/run-builders";
import { listOf } from "@/testing/pages";
import { EditMonitorPage } from "./form/monitor-form-pages";
import { MonitorPage } from "./monitor-page";
import type { MonitorView } from "./monitor-view";

const project = aProject();
const PATH = `projects/${project.slug}`;
const MONITOR = `${PATH}/monitors/mo1`;

function openMonitor(view: MonitorView = {}, onViewChanged = vi.fn()) {
  return renderPage(
    <MonitorPage
      project={project}
      monitorId="mo1"
      view={view}
      onViewChanged={onViewChanged}
      alerts={null}
      onOpened={vi.fn()}
      onLeft={vi.fn()}
    />,
  );
}

describe("a monitor", () => {
  it("runs now and pauses", async () => {
    answer("get", MONITOR, aMonitor());
    answer("get", `${MONITOR}/trend`, aTrend());
    const run = answer("post", `${MONITOR}/run`, aCheck({ state: "due" }));
    const { user } = await openMonitor();
    await user.click(await screen.findByRole("button", { name: "Run now" }));
    expect(await screen.findByText("Check of Support replies, daily started")).toBeVisible();
    expect(run).toHaveLength(1);
    refuse("post", `${MONITOR}/pause`, 409, { code: "X", message: "It is paused." });
    await user.click(screen.getByRole("button", { name: "Pause" }));
    expect(await screen.findByText("It is paused.")).toBeVisible();
  });

  it("shows its trend as a table too", async () => {
    answer("get", MONITOR, aMonitor());
    answer("get", `${MONITOR}/trend`, aTrend());
    const { user } = await openMonitor();
    await user.click(await screen.findByRole("button", { name: "Show as table" }));
    const table = screen.getByRole("table", { name: "Score over time" });
    expect(within(table).getByText("7.2 (6.2 to 8.2)")).toBeVisible();
    expect(screen.getByText("v1 → v2")).toBeVisible();
    expect(screen.getByText("Not in the chart: 1 skipped, 0 failed.")).toBeVisible();
  });

  it("opens a check with its evidence, and accepts the new normal", async () => {
    answer("get", MONITOR, aMonitor());
    answer("get", `${MONITOR}/checks`, listOf(aCheck()));
    answer("get", `${MONITOR}/checks/c7`, aCheck());
    const run = aRun({ id: "r7", name: "Check 7" });
    answer("get", `${PATH}/runs/r7`, run);
    const kept = answer("patch", `${PATH}/runs/r7`, { ...run, is_kept: true });
    const accepted = answer("post", `${MONITOR}/baseline`, aMonitor());
    const { user } = await openMonitor({ tab: "checks", check: "c7" });
    const drawer = await screen.findByRole("dialog", { name: "Check 7" });
    expect(
      await within(drawer).findByText("20% below the baseline, p < 0.001, 24 shared cases"),
    ).toBeVisible();
    expect(within(drawer).getByRole("link", { name: "Compare with the baseline" })).toBeVisible();
    expect(await axeViolations(drawer)).toEqual([]);
    await user.click(await within(drawer).findByRole("button", { name: "Keep" }));
    expect(await within(drawer).findByRole("button", { name: "Stop keeping" })).toBeVisible();
    expect(kept[0]?.body).toEqual({ is_kept: true });
    await user.click(within(drawer).getByRole("button", { name: "Accept as new normal" }));
    const dialog = await screen.findByRole("dialog", { name: /^Accept the current level/ });
    await user.type(within(dialog).getByLabelText(/^Note/), "Terse now");
    await user.click(within(dialog).getByRole("button", { name: "Accept as new normal" }));
    expect(await screen.findByText("Baseline set")).toBeVisible();
    expect(accepted[0]?.body).toEqual({ check_id: null, note: "Terse now" });
  });

  it("compares its models with evidence or a reason", async () => {
    const unknown = {
      key: null,
      leading: "a",
      reason: "not_separated",
      cases: 24,
      undecided: ["b"],
      factor: null,
    };
    const figures = {
      model_id: null,
      score: 0.8,
      p50_seconds: 1,
      p95_seconds: 2,
      month_usd: "30",
    };
    answer("get", MONITOR, aMonitor());
    answer("get", `${MONITOR}/models`, {
      checks: 3,
      models: [
        { ...figures, key: "a", label: "Large", answer_usd: "0.01" },
        { ...figures, key: "b", label: "Small", answer_usd: "0.0016" },
      ],
      advice: {
        most_accurate: unknown,
        fastest: { ...unknown, leading: null, reason: "too_few_cases", undecided: [] },
        best_value: { ...unknown, key: "b", reason: "as_good_and_cheaper" },
        saving_month_usd: "31",
      },
    });
    await openMonitor({ tab: "models" });
    expect(await screen.findByText("Proven as good as Large, and 84% cheaper.")).toBeVisible();
    expect(screen.getByText("The evidence does not separate it from Small.")).toBeVisible();
    expect(screen.getByText("At least 5 checks are needed.")).toBeVisible();
    expect(screen.getByText(/would save \$31.00 a month/)).toBeVisible();
    expect(await axeViolations()).toEqual([]);
  });

  it("shows what it costs and how it is set up", async () => {
    answer("get", MONITOR, aMonitor());
    answer("get", `${MONITOR}/trend`, aTrend({ cost_usd: "0.0346" }));
    const { unmount } = await openMonitor({ tab: "costs" });
    expect(await screen.findByText(/^\$0.01 more for checks/)).toBeVisible();
    unmount();
    answer("get", `${PATH}/scorers/kinds`, [aScorerKind()]);
    answer("get", `${PATH}/scorers`, listOf());
    await openMonitor({ tab: "settings" });
    expect(await screen.findByText("Contains")).toBeVisible();
    expect(screen.getByText("The new prompt is terse.")).toBeVisible();
    expect(await axeViolations()).toEqual([]);
  });
});

describe("the form of a monitor", () => {
  it("says what a rule costs in false alarms, and saves only what was edited", async () => {
    answer("get", MONITOR, aMonitor());
    answer("get", `${PATH}/prompts`, listOf());
    answer("get", `${PATH}/prompts/pr1/versions`, listOf());
    answer("get", `${PATH}/models`, listOf());
    answer("get", `${PATH}/datasets`, listOf(aDataset()));
    answer("get", `${PATH}/datasets/d1/facets`, { splits: [], tags: [] });
    answer("get", `${PATH}/scorers`, listOf());
    answer("get", `${PATH}/scorers/kinds`, [aScorerKind()]);
    answer("get", `${PATH}/monitors/schedule`, {
      cron: "0 9 * * *",
      problem: null,
      words: "At 09:00 every day",
      next_times: ["2026-03-06T09:00:00Z"],
      times_a_year: 365,
      presets: [{ key: "daily", name: "Every day at 09:00", cron: "0 9 * * *" }],
    });
    answer("post", `${PATH}/monitors/estimate`, aMonitorEstimate());
    const saved = answer("patch", MONITOR, aMonitor());
    const onSaved = vi.fn();
    const { user } = await renderPage(
      <EditMonitorPage project={project} monitorId="mo1" onSaved={onSaved} />,
    );
    expect(await screen.findByText("At 09:00 every day (UTC)")).toBeVisible();
    const plain = await screen.findByRole("radio", { name: /about 71 false alarms a year/ });
    expect(screen.getByText("31%")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Use 3 repeats" }));
    await user.click(plain);
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    await vi.waitFor(() => expect(onSaved).toHaveBeenCalledWith("mo1"));
    expect(saved[0]?.body).toEqual({
      repeats: 3,
      rules: {
        ...aMonitor().config.rules,
        drop: { kind: "plain", threshold: 0.1, recovery: 0.05 },
      },
    });
  });
});
