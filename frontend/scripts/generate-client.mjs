// Writes src/api/schema.gen.ts from the OpenAPI document on stdin or in ../.tmp/openapi.json.
import { existsSync, fstatSync, readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const stored = new URL("../../.tmp/openapi.json", import.meta.url);
const target = new URL("../src/api/schema.gen.ts", import.meta.url);

function readDocument() {
  const stdin = fstatSync(0);
  if (stdin.isFIFO() || stdin.isFile()) {
    const piped = readFileSync(0, "utf8");
    if (piped.trim() !== "") {
      return piped;
    }
  }
  return existsSync(stored) ? readFileSync(stored, "utf8") : null;
}

const text = readDocument();
if (text === null) {
  console.error(
    "No OpenAPI document. Run `edison openapi | npm run client`, or write it to .tmp/openapi.json first.",
  );
  process.exit(1);
}
const ast = await openapiTS(JSON.parse(text), { alphabetize: true });
writeFileSync(target, `// Generated from the OpenAPI document; do not edit.\n${astToString(ast)}`);
console.log("src/api/schema.gen.ts written");
