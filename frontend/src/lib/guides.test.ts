import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { GUIDES } from "./guides";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const OTHER_SOURCES: Record<string, string> = {
  index: "docs/README.md",
  changelog: "CHANGELOG.md",
};

it("names only guides that exist", () => {
  const missing = GUIDES.filter(
    (guide) => !existsSync(ROOT + (OTHER_SOURCES[guide] ?? `docs/${guide}.md`)),
  );
  expect(missing).toEqual([]);
});
