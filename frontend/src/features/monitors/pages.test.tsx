import { aMonitor, aTrend } from "@/testing/monitor-builders";
import { describeFailedReads, describePage, listOf } from "@/testing/pages";

const DRAFT = { name: "Reply", cron: "0 9 * * *", daily_budget_usd: "1.00", repeats: 1 };
const SCHEDULE = {
  cron: "0 9 * * *",
  problem: null,
  words: "At 09:00 every day",
  next_times: ["2026-03-06T09:00:00Z"],
  times_a_year: 365,
  presets: [{ key: "daily", name: "Every day at 09:00", cron: "0 9 * * *" }],
};
const FORM = { "monitors/schedule": SCHEDULE, "scorers/kinds": [] };
const LISTS = ["prompts", "models", "datasets", "scorers", "scorers/kinds", "monitors/schedule"];

describePage("/p/$slug/monitors", {
  reads: "monitors",
  filled: listOf(aMonitor()),
  shows: ["link", "Support replies, daily"],
  command: "monitors.actions.run",
  empty: { text: "monitors.empty.title", next: ["link", "monitors.new"] },
});

describePage("/p/$slug/monitors/$monitorId", {
  params: { monitorId: "mo1" },
  reads: "monitors/mo1",
  filled: aMonitor(),
  shows: ["heading", "Support replies, daily"],
  responses: { "monitors/mo1/trend": aTrend() },
});

describePage("/p/$slug/monitors/new", {
  reads: "monitors/draft",
  filled: DRAFT,
  shows: ["button", "monitors.create"],
  empty: null,
  responses: FORM,
});

describePage("/p/$slug/monitors/$monitorId/edit", {
  params: { monitorId: "mo1" },
  reads: "monitors/mo1",
  filled: aMonitor({ config: { ...aMonitor().config, scorers: [] } }),
  shows: ["button", "ui.save"],
  responses: FORM,
});

describeFailedReads("/p/$slug/monitors/new", {
  responses: { ...FORM, "monitors/draft": DRAFT },
  lists: LISTS,
});
