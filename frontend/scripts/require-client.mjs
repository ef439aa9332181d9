// Types of the API are generated, not stored; say how to get them instead of 100 type errors.
import { existsSync } from "node:fs";

if (!existsSync(new URL("../src/api/schema.gen.ts", import.meta.url))) {
  console.error("src/api/schema.gen.ts is missing: run `edison openapi | npm run client` first.");
  process.exit(1);
}
