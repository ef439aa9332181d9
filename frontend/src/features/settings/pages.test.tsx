import { someSettings } from "@/testing/builders";
import { describePage } from "@/testing/pages";

describePage("/p/$slug/settings", {
  reads: "settings",
  filled: someSettings(),
  shows: ["heading", "settings.defaults.title"],
});
