// Runs dependency-cruiser and refuses a run that looked at nothing: a tool that silently
// cruises no module would otherwise pass every rule.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = spawnSync(
  process.execPath,
  [
    "node_modules/dependency-cruiser/bin/dependency-cruise.mjs",
    "src",
    "--config",
    ".dependency-cruiser.cjs",
    "--output-type",
    "json",
  ],
  { cwd: root, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
);
if (!run.stdout) {
  console.error(run.stderr || "dependency-cruiser printed nothing");
  process.exit(1);
}
const { summary } = JSON.parse(run.stdout);
for (const { rule, from, to } of summary.violations) {
  console.error(`${rule.severity} ${rule.name}: ${from} -> ${to}`);
}
console.log(`import direction: ${summary.totalCruised} modules, ${summary.error} errors`);
if (summary.totalCruised === 0) {
  console.error("dependency-cruiser looked at no module at all");
  process.exit(1);
}
process.exit(summary.error > 0 ? 1 : 0);
