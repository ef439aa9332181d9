import { someSettings } from "@/testing/builders";
import { describePage } from "@/testing/pages";

describePage("/p/$slug/settings", {
  reads: "settings",
  filled: someSettings(),
  shows: ["heading", "settings.defaults.title"],
  responses: {
    retention: {
      archive_days: 60,
      retention_days: 90,
      confirmed_at: null,
      to_archive: { runs: 0, cells: 0, names: [] },
      to_delete: { runs: 0, cells: 0, names: [] },
      kept_runs: 0,
      evidence_runs: 0,
    },
  },
});
