import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync("src/styles.css", "utf8");

function tokensOf(selector: string): Record<string, string> {
  const block = new RegExp(`^${selector} \\{([^}]*)\\}`, "m").exec(css)?.[1] ?? "";
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(
      ([, name = "", hex = ""]): [string, string] => [name, hex],
    ),
  );
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const BACKGROUNDS = ["bg", "surface", "surface-hover", "raised"];
const TEXT_PAIRS = [
  ...["ink", "ink-muted", "ink-subtle", "accent-ink", "danger"].flatMap((text) =>
    BACKGROUNDS.map((ground) => [text, ground]),
  ),
  ["on-accent", "accent-solid"],
  ["on-accent", "accent-solid-hover"],
  ["on-accent-bg", "accent-bg"],
  ["on-danger", "danger-solid"],
  ["on-danger", "danger-solid-hover"],
  ["danger", "danger-bg"],
  ["success", "success-bg"],
  ["success", "surface"],
  ["warning", "warning-bg"],
  ["info", "info-bg"],
] as [string, string][];
const EDGE_PAIRS = [
  ["border-input", "raised"],
  ["border-input", "bg"],
  ["accent-solid", "raised"],
  ...BACKGROUNDS.map((ground) => ["focus", ground]),
  ...["1", "2", "3", "4", "5", "6", "rest"].map((series) => [`chart-${series}`, "raised"]),
] as [string, string][];

describe.each([":root", "\\.dark"])("colours of %s", (selector) => {
  const tokens = tokensOf(selector);
  const of = (one: string, other: string) => contrast(tokens[one] ?? "", tokens[other] ?? "");
  it.each(TEXT_PAIRS)("%s is readable on %s", (text, ground) => {
    expect(of(text, ground)).toBeGreaterThanOrEqual(4.5);
  });
  it.each(EDGE_PAIRS)("%s stands out from %s", (edge, ground) => {
    expect(of(edge, ground)).toBeGreaterThanOrEqual(3);
  });
});
