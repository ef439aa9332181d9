// Prints what a first visit downloads as script and fails above the agreed limit.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const LIMIT_KB = 200;
const out = new URL("../../src/edison/app/static/", import.meta.url);
const html = readFileSync(new URL("index.html", out), "utf8");
const files = new Set([...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map((match) => match[1]));
let total = 0;
for (const file of files) {
  const size = gzipSync(readFileSync(fileURLToPath(new URL(file, out)))).length / 1000;
  total += size;
  console.log(`${size.toFixed(1).padStart(8)} kB gz  ${file}`);
}
console.log(`${total.toFixed(1).padStart(8)} kB gz  initial script (limit ${LIMIT_KB} kB)`);
process.exit(files.size === 0 || total > LIMIT_KB ? 1 : 0);
