import { describe, expect, it } from "vitest";
import {
  describeUserAgent,
  formatCost,
  formatCountdown,
  formatPrice,
  formatRelative,
  formatTokens,
  formatUsd,
  initials,
  truncate,
} from "./format";

const NOW = Date.parse("2026-03-10T12:00:00Z");

describe("formatRelative", () => {
  it.each([
    ["2026-03-10T11:59:30Z", "just now"],
    ["2026-03-10T11:59:00Z", "1 minute ago"],
    ["2026-03-10T10:00:00Z", "2 hours ago"],
    ["2026-03-10T12:59:50Z", "in 1 hour"],
    ["2026-03-09T12:00:00Z", "1 day ago"],
    ["2026-03-17T11:59:00Z", "in 1 week"],
    ["2026-01-10T12:00:00Z", "2 months ago"],
    ["2024-03-10T12:00:00Z", "2 years ago"],
  ])("reads %s as %s", (iso, words) => {
    expect(formatRelative(iso, NOW)).toBe(words);
  });

  it("says nothing about a time it cannot read", () => {
    expect(formatRelative("soon", NOW)).toBe("");
  });
});

describe("truncate", () => {
  it("leaves a text of exactly the limit alone", () => {
    expect(truncate("a".repeat(100), 100)).toBe("a".repeat(100));
  });
  it("cuts at a word and stays within the limit", () => {
    expect(truncate("one two three four", 14)).toBe("one two three…");
  });
  it("never cuts a character in half", () => {
    expect(truncate("👩👩👩👩", 3)).toBe("👩👩…");
  });
});

describe("small formatters", () => {
  it("counts down in minutes and seconds", () => {
    expect(formatCountdown(885)).toBe("14:45");
    expect(formatCountdown(-3)).toBe("0:00");
  });
  it("keeps the cents of a decimal string", () => {
    expect(formatUsd("1234.50")).toBe("$1,234.50");
  });
  it("takes initials from the name, else from the address", () => {
    expect(initials("Ada King Lovelace", "x@y.z")).toBe("AL");
    expect(initials(null, "grace.hopper@example.org")).toBe("GH");
    expect(initials(" ", "root@localhost")).toBe("R");
  });
  it("distinguishes Edge from Chrome although it claims to be both", () => {
    expect(describeUserAgent("Mozilla/5.0 (Windows NT 10.0) Chrome/120 Safari/537 Edg/120")).toBe(
      "Edge on Windows",
    );
    expect(describeUserAgent("python-httpx/0.28")).toBeNull();
  });
});

describe("formatCost", () => {
  it.each([
    ["0", "$0.00"],
    ["0.000001234", "$0.00000123"],
    ["0.0045", "$0.0045"],
    ["1.5", "$1.50"],
  ])("writes %s as %s", (amount, expected) => {
    expect(formatCost(amount)).toBe(expected);
  });
});

describe("formatPrice", () => {
  it.each([
    ["2.5", "million", "$2.50"],
    ["2.5", "thousand", "$0.0025"],
    ["0.075", "million", "$0.075"],
    ["0.000001", "thousand", "$0.000000001"],
  ] as const)("writes %s per %s as %s", (amount, unit, expected) => {
    expect(formatPrice(amount, unit)).toBe(expected);
  });
});

describe("formatTokens", () => {
  it.each([
    [0, "0"],
    [42.4, "42"],
    [499, "499"],
    [500, "0.5k"],
    [12_049, "12k"],
    [999_949, "999.9k"],
    [999_950, "1M"],
    [3_440_000, "3.4M"],
  ])("%d is %s", (count, text) => {
    expect(formatTokens(count)).toBe(text);
  });
});
