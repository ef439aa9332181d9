import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { BLANK } from "@/testing/experiment-builders";
import { answer } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { StrategyFields } from "./strategy-fields";

const EXAMPLES = { type: "integer", title: "Examples per suggestion", default: 3, maximum: 3 };
const STRATEGIES = [
  {
    kind: "refine",
    title: "Refine",
    description: "Small edits.",
    uses_refiner: true,
    options_schema: { type: "object", properties: {} },
  },
  {
    kind: "few_shot",
    title: "Few-shot examples",
    description: "Training cases become examples.",
    uses_refiner: false,
    options_schema: { type: "object", properties: { examples: EXAMPLES } },
  },
];

it("chooses a strategy by name, with a form of its own", async () => {
  answer("get", "projects/shop/optimizations/kinds", STRATEGIES);
  const changed = vi.fn();
  function Frame() {
    const [part, setPart] = useState(BLANK.limits);
    return (
      <StrategyFields
        slug="shop"
        part={part}
        errors={{ "strategy.options.examples": "Too many." }}
        models={[]}
        editable
        onChanged={(change) => {
          changed(change);
          setPart({ ...part, ...change });
        }}
      />
    );
  }
  const { user } = await renderPage(<Frame />);
  const choice = await screen.findByRole("combobox", { name: /^Strategy/ });
  await vi.waitFor(() => expect(choice).toHaveTextContent("Refine"));
  expect(screen.queryByLabelText(/^Examples per suggestion/)).toBeNull();
  await user.click(choice);
  await user.click(await screen.findByRole("option", { name: /Few-shot examples/ }));
  expect(changed).toHaveBeenLastCalledWith({ strategy: { kind: "few_shot", options: {} } });
  expect(screen.getByText("This strategy calls no model.")).toBeInTheDocument();
  const examples = screen.getByLabelText(/^Examples per suggestion/);
  expect(examples).toHaveValue("3");
  expect(screen.getByText("Too many.")).toBeInTheDocument();
  await user.clear(examples);
  await user.paste("2");
  expect(changed).toHaveBeenLastCalledWith({
    strategy: { kind: "few_shot", options: { examples: 2 } },
  });
  expect(await axeViolations()).toEqual([]);
});
