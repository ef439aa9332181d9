import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { Archive, Pencil, Trash2 } from "lucide-react";
import { expect, it, vi } from "vitest";
import { CommandMenu } from "./command-menu";

it("offers what can be done, and what takes something away at the end", async () => {
  const user = userEvent.setup();
  const onDeleted = vi.fn();
  const onArchived = vi.fn();
  render(
    <CommandMenu
      label="Actions for Golden"
      commands={[
        { icon: Trash2, label: "Delete", isDanger: true, onChosen: onDeleted },
        { icon: Pencil, label: "Rename", onChosen: vi.fn() },
        { icon: Archive, label: "Archive", disabled: true, onChosen: onArchived },
      ]}
    />,
  );
  await user.click(screen.getByRole("button", { name: "Actions for Golden" }));
  const entries = await screen.findAllByRole("menuitem");
  expect(entries.map(({ textContent }) => textContent)).toEqual(["Rename", "Archive", "Delete"]);
  expect(screen.getByRole("separator").nextElementSibling).toBe(entries[2]);
  expect(entries[1]).toHaveAttribute("aria-disabled", "true");
  await user.click(screen.getByText("Delete"));
  expect(onDeleted).toHaveBeenCalledOnce();
  expect(onArchived).not.toHaveBeenCalled();
});

it("is not there when nothing can be done", () => {
  const { container } = render(<CommandMenu label="Actions for Golden" commands={[]} />);
  expect(container).toBeEmptyDOMElement();
});
