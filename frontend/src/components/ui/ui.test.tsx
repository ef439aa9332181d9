import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { axeViolations, renderPage } from "@/testing/render";
import { Badge } from "./badge";
import { Button } from "./button";
import { Checkbox } from "./checkbox";
import { ConfirmDialog } from "./confirm-dialog";
import { CopyButton } from "./copy-button";
import { EmptyState } from "./empty-state";
import { ErrorState } from "./error-state";
import { Field } from "./field";
import { Input } from "./input";
import { LoadMore } from "./load-more";
import { PasswordInput } from "./password-input";
import { Progress } from "./progress";
import { RadioGroup } from "./radio-group";
import { RelativeTime } from "./relative-time";
import { Select } from "./select";
import { CardGridSkeleton, TableSkeleton } from "./skeleton";
import { Switch } from "./switch";
import { Table } from "./table";
import { Tabs } from "./tabs";
import { toast } from "./toast";

const noop = () => undefined;

describe("Button", () => {
  it("does nothing while loading and says so", async () => {
    const onClick = vi.fn();
    const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    render(
      <form onSubmit={onSubmit}>
        <Button type="submit" loading onClick={onClick}>
          Save
        </Button>
      </form>,
    );
    const button = screen.getByRole("button", { name: "Save" });
    expect(button).toHaveAttribute("aria-busy", "true");
    expect(button).toHaveAttribute("aria-disabled", "true");
    await userEvent.click(button);
    expect(onClick).not.toHaveBeenCalled();
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

describe("Field", () => {
  it("ties hint and error to the control", () => {
    render(
      <Field label="Email" required hint="Work address" error="Not valid">
        {(props) => <Input {...props} />}
      </Field>,
    );
    const input = screen.getByLabelText(/Email/);
    expect(input).toBeInvalid();
    expect(input).toBeRequired();
    expect(input).toHaveAccessibleDescription("Work address Not valid");
  });
});

describe("PasswordInput", () => {
  it("shows and hides what is typed", async () => {
    render(<PasswordInput aria-label="Password" />);
    const input = screen.getByLabelText("Password");
    expect(input).toHaveAttribute("type", "password");
    await userEvent.click(screen.getByRole("button", { name: "Show password" }));
    expect(input).toHaveAttribute("type", "text");
    await userEvent.click(screen.getByRole("button", { name: "Hide password" }));
    expect(input).toHaveAttribute("type", "password");
  });
});

describe("ConfirmDialog", () => {
  it("asks for the typed name before it acts", async () => {
    const onConfirmed = vi.fn();
    render(
      <ConfirmDialog
        open
        onOpenChanged={noop}
        title="Delete?"
        description="For good."
        confirmLabel="Delete"
        typed="My project"
        onConfirmed={onConfirmed}
      />,
    );
    const button = screen.getByRole("button", { name: "Delete" });
    await userEvent.click(button);
    await userEvent.type(screen.getByRole("textbox"), "My projec{Enter}");
    expect(onConfirmed).not.toHaveBeenCalled();
    await userEvent.type(screen.getByRole("textbox"), "t");
    await userEvent.click(button);
    expect(onConfirmed).toHaveBeenCalledOnce();
    expect(await axeViolations()).toEqual([]);
  });

  it("gives the focus back to what opened it", async () => {
    function Page() {
      const [open, setOpen] = useState(false);
      return (
        <>
          <Button onClick={() => setOpen(true)}>Open</Button>
          <ConfirmDialog
            open={open}
            onOpenChanged={setOpen}
            title="Sure?"
            description="Really."
            confirmLabel="Yes"
            onConfirmed={noop}
          />
        </>
      );
    }
    render(<Page />);
    await userEvent.click(screen.getByRole("button", { name: "Open" }));
    expect(screen.getByRole("dialog", { name: "Sure?" })).toContainElement(
      document.activeElement as HTMLElement,
    );
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole("button", { name: "Open" })).toHaveFocus());
  });
});

describe("CopyButton", () => {
  it("says when the browser refuses to copy", async () => {
    const user = userEvent.setup();
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
    render(<CopyButton text="abc" label="Copy it" />);
    await user.click(screen.getByRole("button", { name: "Copy it" }));
    expect(await screen.findByText("Could not copy")).toBeInTheDocument();
  });
});

describe("toast", () => {
  it("shows a message in a live region", async () => {
    await renderPage(<p>page</p>);
    toast.error("That failed", { description: "Because." });
    expect(await screen.findByText("That failed")).toBeInTheDocument();
    expect(screen.getByText("That failed").closest("section")).toHaveAttribute(
      "aria-live",
      "polite",
    );
  });
});

describe("the component set", () => {
  it("has no accessibility violations", async () => {
    const options = [
      { value: "a", label: "A", description: "First" },
      { value: "b", label: "B" },
    ];
    const { container } = render(
      <main>
        <h1>Set</h1>
        <Button>One</Button>
        <Button disabled>Two</Button>
        <Badge tone="danger">Denied</Badge>
        <Checkbox label="Agree" checked="indeterminate" onCheckedChanged={noop} error="Needed" />
        <RadioGroup legend="Way" value="a" options={options} onValueChanged={noop} />
        <Switch label="On" description="Or off" checked onCheckedChanged={noop} />
        <Field label="Kind">
          {(props) => <Select {...props} value="a" options={options} onValueChanged={noop} />}
        </Field>
        <Tabs
          label="Parts"
          value="x"
          onValueChanged={noop}
          tabs={[
            { value: "x", label: "X", content: "Shown" },
            { value: "y", label: "Y", content: "Hidden" },
          ]}
        />
        <Table
          caption="People"
          columns={[
            { key: "name", header: "Name", cell: (row: string) => row, primary: true },
            { key: "act", header: "Actions", hideHeader: true, cell: () => <Button>Go</Button> },
          ]}
          rows={["Ada"]}
          rowKey={(row) => row}
        />
        <EmptyState icon={<svg />} title="Nothing" description="Yet" />
        <ErrorState title="Failed" message="Sorry" traceId="abc" onRetry={noop} />
        <Progress label="Working" value={40} />
        <LoadMore shown={1} total={2} hasMore loading={false} onLoadMore={noop} />
        <RelativeTime iso="2026-01-01T00:00:00Z" />
        <CardGridSkeleton count={1} />
        <TableSkeleton rows={1} />
      </main>,
    );
    expect(await axeViolations(container)).toEqual([]);
  });
});
