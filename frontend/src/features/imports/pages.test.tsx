import { IMPORT_FORMATS } from "@/testing/import-builders";
import { describePage } from "@/testing/pages";

describePage("/p/$slug/import", {
  reads: "import/formats",
  filled: IMPORT_FORMATS,
  shows: ["heading", "imports.known"],
  empty: null,
});
