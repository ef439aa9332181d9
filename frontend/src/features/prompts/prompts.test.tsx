import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { answer, refuse } from "@/testing/fake-server";
import { aPrompt } from "@/testing/builders";
import { renderPage } from "@/testing/render";
import { CreatePromptDialog } from "@/components/prompt-editor/create-prompt-dialog";
import { InlineName } from "@/components/prompt-editor/inline-name";
import { CommandMenu } from "@/components/ui/command-menu";
import { SaveVersionDialog } from "./save-version-dialog";
import { usePromptCommands } from "./use-prompt-commands";

const PROMPTS = "projects/support/prompts";

describe("creating a prompt", () => {
  it("sends name, kind and syntax, and opens what was made", async () => {
    const onPromptCreated = vi.fn();
    const sent = answer("post", PROMPTS, aPrompt(), { status: 201 });
    const { user } = await renderPage(
      <CreatePromptDialog
        open
        slug="support"
        onOpenChanged={vi.fn()}
        onPromptCreated={onPromptCreated}
      />,
    );
    await user.click(screen.getByRole("button", { name: "Create prompt" }));
    expect(await screen.findByText("Enter a name.")).toBeInTheDocument();
    await user.type(screen.getByRole("textbox", { name: /^Name/ }), " Reply ");
    await user.click(screen.getByRole("radio", { name: /Grader/ }));
    await user.click(screen.getByRole("button", { name: "Create prompt" }));
    await waitFor(() => expect(onPromptCreated).toHaveBeenCalledWith(aPrompt()));
    expect(sent[0]?.body).toMatchObject({ name: "Reply", kind: "grader", syntax: "double" });
  });
});

describe("the name of a prompt", () => {
  it("is saved with Enter", async () => {
    const sent = answer("patch", `${PROMPTS}/pr1`, aPrompt({ name: "Answer" }));
    const { user } = await renderPage(<InlineName slug="support" prompt={aPrompt()} editable />);
    await user.click(screen.getByRole("button", { name: "Rename" }));
    await user.clear(screen.getByRole("textbox"));
    await user.keyboard("Answer{Enter}");
    await waitFor(() => expect(sent[0]?.body).toEqual({ name: "Answer" }));
  });

  it("stays as it was with Escape", async () => {
    const { user } = await renderPage(<InlineName slug="support" prompt={aPrompt()} editable />);
    await user.click(screen.getByRole("button", { name: "Rename" }));
    await user.keyboard("Something else{Escape}");
    expect(screen.getByRole("heading", { name: "Reply" })).toBeInTheDocument();
  });
});

describe("a new version", () => {
  it("is refused a changelog that says too little, and keeps what the server complains of", async () => {
    refuse("post", `${PROMPTS}/pr1/versions`, 409, {
      code: "UNCHANGED",
      message: "Nothing changed since v1.",
    });
    const { user } = await renderPage(
      <SaveVersionDialog slug="support" prompt={aPrompt()} onClosed={vi.fn()} />,
    );
    const changelog = screen.getByRole("textbox", { name: /^What changed/ });
    expect(changelog).toHaveValue("First version");
    await user.clear(changelog);
    await user.type(changelog, "short");
    await user.click(screen.getByRole("button", { name: "Save version" }));
    expect(await screen.findByText(/at least 10 characters/)).toBeInTheDocument();
    await user.type(changelog, " but longer now");
    await user.click(screen.getByRole("button", { name: "Save version" }));
    expect(await screen.findByText("Nothing changed since v1.")).toBeInTheDocument();
  });
});

function Menu() {
  const { commandsOf, dialog } = usePromptCommands("support", { onDuplicated: vi.fn() });
  return (
    <>
      <CommandMenu label="Menu" commands={commandsOf(aPrompt())} />
      {dialog}
    </>
  );
}

describe("deleting a prompt", () => {
  it("says what still depends on it", async () => {
    refuse("delete", `${PROMPTS}/pr1`, 409, {
      code: "IN_USE",
      message: "The monitor Nightly uses it.",
    });
    const { user } = await renderPage(<Menu />);
    await user.click(screen.getByRole("button", { name: "Menu" }));
    await user.click(screen.getByRole("menuitem", { name: "Delete" }));
    await user.click(screen.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("The monitor Nightly uses it.")).toBeInTheDocument();
  });
});
