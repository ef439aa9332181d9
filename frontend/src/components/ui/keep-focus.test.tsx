import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { expect, it } from "vitest";
import { Button } from "./button";
import { CommandMenu } from "./command-menu";
import { ConfirmDialog } from "./confirm-dialog";
import { useKeptFocus } from "./keep-focus";

const noop = () => undefined;

/** A page with a list whose rows can be removed, with or without a question. */
function Page({ asks = false }: { asks?: boolean }) {
  useKeptFocus();
  const [names, setNames] = useState(["Ada", "Grace", "Mary"]);
  const [asked, setAsked] = useState<string | null>(null);
  const remove = (gone: string) => setNames(names.filter((name) => name !== gone));
  return (
    <main id="main-content" tabIndex={-1}>
      <h1>People</h1>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <a href={`#${name}`}>{name}</a>
            <Button onClick={() => (asks ? setAsked(name) : remove(name))}>Remove {name}</Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== null}
        onOpenChanged={() => setAsked(null)}
        title="Sure?"
        description="Really."
        confirmLabel="Yes"
        onConfirmed={() => {
          // The row is removed before the question is, as when the list is refreshed first.
          remove(asked ?? "");
          setTimeout(() => setAsked(null));
        }}
      />
    </main>
  );
}

it.each([false, true])("moves from a removed row to its neighbour (asked: %s)", async (asks) => {
  const user = userEvent.setup();
  render(<Page asks={asks} />);
  const removeRow = async (name: string) => {
    await user.click(screen.getByRole("button", { name: `Remove ${name}` }));
    if (asks) {
      await user.click(screen.getByRole("button", { name: "Yes" }));
    }
  };
  await removeRow("Grace");
  await waitFor(() => expect(screen.getByRole("button", { name: "Remove Mary" })).toHaveFocus());
  await removeRow("Mary");
  await waitFor(() => expect(screen.getByRole("button", { name: "Remove Ada" })).toHaveFocus());
  await removeRow("Ada");
  await waitFor(() => expect(screen.getByRole("heading", { name: "People" })).toHaveFocus());
});

it("leaves the focus alone when the user took it away", async () => {
  const user = userEvent.setup();
  const { rerender } = render(<Shown isShown />);
  await user.click(screen.getByRole("button", { name: "Here" }));
  await user.click(document.body);
  rerender(<Shown isShown={false} />);
  await Promise.resolve();
  expect(document.body).toHaveFocus();
});

function Shown({ isShown }: { isShown: boolean }) {
  useKeptFocus();
  return <main id="main-content">{isShown ? <Button>Here</Button> : <Button>There</Button>}</main>;
}

it("returns from a question to the button of the menu that asked it", async () => {
  const user = userEvent.setup();
  function Row() {
    const [open, setOpen] = useState(false);
    const command = { icon: Trash2, label: "Delete", onChosen: () => setOpen(true) };
    return (
      <main id="main-content" tabIndex={-1}>
        <CommandMenu label="Actions" commands={[command]} />
        <ConfirmDialog
          open={open}
          onOpenChanged={setOpen}
          title="Sure?"
          description="Really."
          confirmLabel="Yes"
          onConfirmed={noop}
        />
      </main>
    );
  }
  render(<Row />);
  await user.tab();
  await user.keyboard("{Enter}");
  await user.keyboard("{Enter}");
  await screen.findByRole("dialog", { name: "Sure?" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.getByRole("button", { name: "Actions" })).toHaveFocus());
});
