import { expect, test } from "vitest";
import { fieldValues } from "./case-picker";

test("text stays as it is and other values become JSON", () => {
  expect(fieldValues({ name: "Ada", age: 36, tags: ["a"], missing: null })).toEqual({
    name: "Ada",
    age: "36",
    tags: '["a"]',
    missing: "null",
  });
});
