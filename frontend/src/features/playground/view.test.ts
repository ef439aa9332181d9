import { describe, expect, it } from "vitest";
import { nextSort } from "./session";
import { readSort, writeSort } from "./view";

describe("sorting rows", () => {
  it("goes from the highest to the lowest to none, and is kept in the address", () => {
    const falling = nextSort(undefined, 1);
    const rising = nextSort(falling, 1);
    expect([falling, rising, nextSort(rising, 1)].map(writeSort)).toEqual([
      "1.falling",
      "1.rising",
      undefined,
    ]);
    expect(nextSort(rising, 0)).toEqual({ variant: 0, isFalling: true });
    expect(readSort("1.rising")).toEqual(rising);
    expect([readSort("1"), readSort("-1.falling"), readSort(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
