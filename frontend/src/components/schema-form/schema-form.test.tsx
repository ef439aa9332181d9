import { render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { axeViolations } from "@/testing/render";
import {
  initialValue,
  labelOf,
  orderedProperties,
  resolve,
  type FormValue,
  type JsonSchema,
} from "./schema";
import { SchemaForm } from "./schema-form";
import { validate, type FieldErrors } from "./validate";

const SCHEMA: JsonSchema = {
  type: "object",
  required: ["name", "threshold", "mode", "judges"],
  properties: {
    name: { type: "string", minLength: 2, maxLength: 20, description: "Shown in reports" },
    threshold: { type: "number", minimum: 0, maximum: 1, default: 0.8 },
    attempts: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], default: null },
    mode: { enum: ["strict", "very_lenient"] },
    version: { const: 2 },
    apiKey: { type: "string", format: "password" },
    enabled: { type: "boolean", default: true, "x-order": 0 },
    labels: { type: "array", items: { enum: ["good", "bad"] } },
    judges: { type: "array", minItems: 1, items: { $ref: "#/$defs/Judge" } },
  },
  $defs: {
    Judge: {
      type: "object",
      required: ["model"],
      properties: {
        model: { type: "string", minLength: 1 },
        weight: { type: "integer", default: 1 },
      },
    },
  },
};

function Harness({
  errors,
  onChange,
}: {
  errors?: FieldErrors;
  onChange?: (v: FormValue) => void;
}) {
  const [value, setValue] = useState(initialValue(SCHEMA, SCHEMA) as FormValue);
  return (
    <SchemaForm
      schema={SCHEMA}
      value={value}
      errors={errors ?? {}}
      onValueChanged={(next) => {
        setValue(next);
        onChange?.(next);
      }}
    />
  );
}

describe("schema", () => {
  it("starts with defaults, constants and unset optional values", () => {
    expect(initialValue(SCHEMA, SCHEMA)).toEqual({
      name: "",
      threshold: 0.8,
      attempts: null,
      mode: null,
      version: 2,
      apiKey: "",
      enabled: true,
      labels: [],
      judges: [],
    });
  });
  it("orders by x-order, then as listed", () => {
    const names = orderedProperties(SCHEMA, SCHEMA).map(([name]) => name);
    expect(names.slice(0, 3)).toEqual(["enabled", "name", "threshold"]);
  });
  it("keeps what stands beside a reference", () => {
    const schema = { $ref: "#/$defs/Judge", title: "The judge" };
    expect(resolve(schema, SCHEMA)).toMatchObject({ title: "The judge", type: "object" });
  });
  it("does not follow circular references endlessly", () => {
    const loop: JsonSchema = { $defs: { A: { $ref: "#/$defs/A" } }, $ref: "#/$defs/A" };
    expect(resolve(loop, loop).nullable).toBe(false);
  });
  it("makes labels from names", () => {
    expect(labelOf("max_tokens", {})).toBe("Max tokens");
    expect(labelOf("apiKey", {})).toBe("Api key");
  });
});

describe("validate", () => {
  it("names each wrong field with its dotted path", () => {
    const errors = validate(
      {
        name: "x",
        threshold: 1.5,
        attempts: 0.5,
        mode: null,
        judges: [{ model: "", weight: 1.5 }],
      },
      SCHEMA,
    );
    expect(errors).toEqual({
      name: "Use at least 2 characters.",
      threshold: "Enter at most 1.",
      attempts: "Enter a whole number.",
      mode: "This field is required.",
      "judges.0.model": "This field is required.",
      "judges.0.weight": "Enter a whole number.",
    });
  });
  it("counts entries of a list", () => {
    expect(validate({ name: "ok", threshold: 0, mode: "strict", judges: [] }, SCHEMA)).toEqual({
      judges: "Add at least 1 entry.",
    });
  });
  it("passes a complete value", () => {
    expect(
      validate(
        { name: "ok", threshold: 0, attempts: null, mode: "strict", judges: [{ model: "m" }] },
        SCHEMA,
      ),
    ).toEqual({});
  });
});

describe("SchemaForm", () => {
  it("edits texts, numbers, optional numbers and switches", async () => {
    const onChange = vi.fn<(value: FormValue) => void>();
    render(<Harness onChange={onChange} />);
    await userEvent.type(screen.getByLabelText(/^Name/), "Tone");
    const threshold = screen.getByLabelText(/^Threshold/);
    await userEvent.clear(threshold);
    await userEvent.type(threshold, "0.25");
    expect(threshold).toHaveValue("0.25");
    await userEvent.type(screen.getByLabelText(/^Attempts/), "3");
    await userEvent.clear(screen.getByLabelText(/^Attempts/));
    await userEvent.click(screen.getByRole("switch", { name: "Enabled" }));
    expect(onChange.mock.lastCall?.[0]).toMatchObject({
      name: "Tone",
      threshold: 0.25,
      attempts: null,
      enabled: false,
    });
  });

  it("chooses from an enumeration and keeps secrets hidden", async () => {
    const onChange = vi.fn<(value: FormValue) => void>();
    render(<Harness onChange={onChange} />);
    await userEvent.click(screen.getByRole("combobox", { name: /^Mode/ }));
    await userEvent.click(screen.getByRole("option", { name: "very lenient" }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Bad" }));
    expect(onChange.mock.lastCall?.[0]).toMatchObject({ mode: "very_lenient", labels: ["bad"] });
    expect(screen.getByLabelText(/^Api key/)).toHaveAttribute("type", "password");
  });

  it("adds, edits and removes objects of a list", async () => {
    const onChange = vi.fn<(value: FormValue) => void>();
    render(<Harness onChange={onChange} />);
    const judges = screen.getByRole("group", { name: "Judges" });
    await userEvent.click(within(judges).getByRole("button", { name: "Add Judges" }));
    await userEvent.click(within(judges).getByRole("button", { name: "Add Judges" }));
    const second = within(judges).getByRole("group", { name: "Judges 2" });
    await userEvent.type(within(second).getByLabelText(/^Model/), "sim-large");
    await userEvent.click(within(judges).getByRole("button", { name: "Remove Judges 1" }));
    expect(onChange.mock.lastCall?.[0]).toMatchObject({
      judges: [{ model: "sim-large", weight: 1 }],
    });
  });

  it("shows a server's complaint at the field it names", async () => {
    render(<Harness errors={{ threshold: "Too high for this model" }} />);
    const field = screen.getByLabelText(/^Threshold/);
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription("Too high for this model");
    expect(await axeViolations()).toEqual([]);
  });
});
