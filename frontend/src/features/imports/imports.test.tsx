import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aModel, aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { aFileImport, IMPORT_FORMATS } from "@/testing/import-builders";
import { axeViolations, renderPage } from "@/testing/render";
import { ImportPage } from "./import-page";

const FILE = new File(["prompts: []"], "promptfooconfig.yaml", { type: "text/yaml" });

async function open(role: "ADMIN" | "EDITOR" = "ADMIN") {
  answer("get", "projects/*/import/formats", IMPORT_FORMATS);
  return renderPage(<ImportPage project={aProject({ role })} />);
}

async function choose() {
  const page = await open();
  await page.user.upload(await screen.findByLabelText(/Drop a file here/), FILE);
  return page;
}

describe("imports", () => {
  it("show what becomes what, then import it", async () => {
    const seen = answer("post", "projects/*/import/preview", aFileImport());
    const sent = answer("post", "projects/*/import", aFileImport());
    const { user } = await choose();
    const table = within(await screen.findByRole("table", { name: "What will be imported" }));
    expect(table.getByText("12 cases")).toBeVisible();
    expect(table.getByText("exists, kept as it is")).toBeVisible();
    expect(screen.getByText("promptfooconfig.yaml:12:5")).toBeVisible();
    expect(screen.getByText(/before you use GPT\./)).toBeVisible();
    expect(seen[0]?.url.search).toBe("?name=promptfooconfig.yaml&existing=refuse");
    expect(await axeViolations()).toEqual([]);

    await user.click(screen.getByRole("button", { name: "Import" }));
    expect(await screen.findByText("Support answers imported")).toBeVisible();
    expect(screen.getByRole("link", { name: "See datasets" })).toHaveAttribute(
      "href",
      "/p/support-answers/datasets",
    );
    expect(sent[0]?.url.search).toBe("?name=promptfooconfig.yaml&existing=refuse");
  });

  it("preview again when a choice changes", async () => {
    const seen = answer(
      "post",
      "projects/*/import/preview",
      aFileImport({ needs_grader: true, grader: "Usual" }),
    );
    answer("get", "projects/*/models", { items: [aModel({ id: "m9" })], next: null, total: 1 });
    const { user } = await choose();
    expect(await screen.findByText("The project's usual model: Usual")).toBeVisible();
    await user.click(screen.getByRole("combobox", { name: /^If a name is taken/ }));
    await user.click(await screen.findByRole("option", { name: "Import under a new name" }));
    await screen.findByRole("button", { name: "Import" });
    await user.click(screen.getByRole("combobox", { name: /^Format/ }));
    await user.click(await screen.findByRole("option", { name: "Langfuse" }));
    await screen.findByRole("button", { name: "Import" });
    expect(seen.map(({ url }) => url.search)).toEqual([
      "?name=promptfooconfig.yaml&existing=refuse",
      "?name=promptfooconfig.yaml&existing=rename",
      "?name=promptfooconfig.yaml&existing=rename&format=langfuse",
    ]);
  });

  it("say where a file is wrong, and offer no import", async () => {
    const message = "Line 3, column 7: this is not valid JSON.";
    const details = [{ field: "file", message, code: "bad_json" }];
    refuse("post", "projects/*/import/preview", 400, {
      code: "VALIDATION_ERROR",
      message,
      details,
      path: "file",
    });
    await choose();
    expect(await screen.findByRole("alert")).toHaveTextContent(message);
    expect(screen.queryByRole("button", { name: "Import" })).toBeNull();
  });

  it("are for administrators", async () => {
    await open("EDITOR");
    expect(await screen.findByText("Importing requires the Admin role.")).toBeVisible();
    expect(screen.queryByLabelText(/Drop a file here/)).toBeNull();
  });
});
