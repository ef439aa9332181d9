import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { CommonFields, type CommonValues } from "./common-fields";

const START: CommonValues = { weight: 1, threshold: 0.7, isNegated: false };

it("takes thresholds out of 10 and keeps them from 0 to 1", async () => {
  const onChanged = vi.fn();
  function Form() {
    const [values, setValues] = useState(START);
    onChanged.mockImplementation(setValues);
    return <CommonFields values={values} errors={{}} onChanged={onChanged} />;
  }
  render(<Form />);
  const field = screen.getByLabelText(/^Pass threshold/);
  expect(field).toHaveValue("7");
  const user = userEvent.setup();
  await user.clear(field);
  expect(onChanged).toHaveBeenLastCalledWith({ ...START, threshold: null });
  await user.type(field, "5.5");
  expect(onChanged).toHaveBeenLastCalledWith({ ...START, threshold: 0.55 });
  await user.clear(field);
  await user.type(field, "11");
  expect(screen.getByText("Enter at most 10.")).toBeVisible();
});
