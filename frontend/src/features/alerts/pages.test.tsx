import { anAlert } from "@/testing/monitor-builders";
import { describeFailedReads, describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/monitors/alerts", {
  reads: "alerts",
  filled: listOf(anAlert()),
  shows: ["link", "Support replies, daily: score 20% below the baseline"],
  empty: { text: "alerts.empty.title" },
});

describeFailedReads("/p/$slug/monitors/alerts", { lists: ["monitors"] });
