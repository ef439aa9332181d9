import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { DatasetSummary } from "@/api/types";
import type { Role } from "@/lib/permissions";
import { aModel, aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { aDataset } from "@/testing/library-builders";
import { axeViolations, renderPage } from "@/testing/render";
import { DatasetsPage, type CreateFor } from "./datasets-page";
import { GenerateDialog } from "./generate-dialog";
import { ImportReview } from "./import-review";
import { NewCaseDrawer } from "./new-case-drawer";

const AT = "2026-01-15T10:00:00Z";
const PLACE = { slug: "support-answers", datasetId: "d1" };
const BASE = "projects/support-answers/datasets";
const GOLDEN = aDataset();

const BILLING = {
  name: "billing",
  cases: 3,
  datasets: [{ id: "d1", name: "Golden", cases: 3, is_tagged: true }],
};

async function openList(role: Role, items: DatasetSummary[], creating?: CreateFor) {
  answer("get", BASE, { items, next: null, total: items.length });
  answer("get", "projects/support-answers/case-tags", { items: [BILLING], next: null, total: 1 });
  const onDatasetCreated = vi.fn();
  const page = await renderPage(
    <DatasetsPage
      project={aProject({ role })}
      view={{}}
      onViewChanged={vi.fn()}
      creating={creating}
      onCreatingChanged={vi.fn()}
      onDatasetCreated={onDatasetCreated}
    />,
  );
  return { ...page, onDatasetCreated };
}

describe("the list of datasets", () => {
  it("shows a viewer what is there, and nothing to change", async () => {
    await openList("VIEWER", [GOLDEN]);
    expect(await screen.findByRole("link", { name: "Golden" })).toBeInTheDocument();
    expect(screen.getByText("1,234")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "New dataset" })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /^Actions for/ })).not.toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
  });

  it("says what to do first where there is none", async () => {
    await openList("EDITOR", []);
    expect(await screen.findByRole("button", { name: "Import cases" })).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Write the first case" })).toBeInTheDocument();
  });

  it("puts a taken name on its field and creates nothing", async () => {
    const { user, onDatasetCreated } = await openList("EDITOR", [GOLDEN], "cases");
    refuse("post", BASE, 409, {
      code: "DUPLICATE_NAME",
      message: "Another dataset of this project has this name.",
      path: "name",
    });
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByLabelText(/^Name/), "Golden");
    await user.click(within(dialog).getByRole("button", { name: "Create dataset" }));
    expect(await within(dialog).findByText(/has this name/)).toBeInTheDocument();
    expect(within(dialog).getByLabelText(/^Name/)).toHaveAttribute("aria-invalid", "true");
    expect(onDatasetCreated).not.toHaveBeenCalled();
  });

  it("renames a tag in all datasets", async () => {
    const { user } = await openList("EDITOR", [GOLDEN]);
    const sent = answer("post", "projects/support-answers/case-tags/change", {
      cases: 3,
      datasets: 1,
    });
    await user.click(await screen.findByRole("button", { name: "Tags" }));
    const dialog = await screen.findByRole("dialog", { name: "Tags" });
    expect(within(dialog).getByText("1 dataset, 3 cases")).toBeInTheDocument();
    await user.click(within(dialog).getByRole("button", { name: "Rename billing" }));
    const name = await screen.findByLabelText(/^Name/);
    await user.clear(name);
    await user.type(name, "invoices");
    await user.click(screen.getByRole("button", { name: "Rename" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({ tags: ["billing"], replace_by: "invoices" });
    expect(await screen.findByText("Tag changed in 1 dataset")).toBeInTheDocument();
  });

  it("sends the tags of a new dataset one by one", async () => {
    const { user } = await openList("EDITOR", [GOLDEN], "cases");
    const sent = answer("post", BASE, { ...GOLDEN, last_change: null });
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByLabelText(/^Name/), "Mails");
    await user.type(within(dialog).getByLabelText(/^Tags/), "support, mail,support");
    await user.click(within(dialog).getByRole("button", { name: "Create dataset" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ name: "Mails", tags: ["support", "mail"] });
  });

  it("explains why a dataset in use cannot be deleted", async () => {
    const { user } = await openList("EDITOR", [GOLDEN]);
    refuse("delete", `${BASE}/d1`, 409, { code: "IN_USE", message: "2 monitors use it." });
    await user.click(await screen.findByRole("button", { name: "Actions for Golden" }));
    await user.click(screen.getByRole("menuitem", { name: "Delete" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByRole("textbox"), "Golden");
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    expect(await within(dialog).findByText("2 monitors use it.")).toBeInTheDocument();
  });
});

describe("a new case", () => {
  it("is sent with its variables, and complaints stand at their fields", async () => {
    const sent = refuse("post", `${BASE}/d1/cases`, 400, {
      code: "VALIDATION_ERROR",
      message: "Some fields need your attention.",
      details: [
        { field: "inputs.question", message: "This text holds a NUL character.", code: "x" },
        { field: "inputs", message: "A case may have 100 variables.", code: "y" },
      ],
    });
    const variables = [{ name: "question", cases: 1 }];
    const { user } = await renderPage(
      <NewCaseDrawer at={PLACE} variables={variables} onClosed={vi.fn()} />,
    );
    expect(screen.getByRole("textbox", { name: /^question/ })).toHaveFocus();
    await user.keyboard("Where?");
    await user.click(screen.getByRole("button", { name: "Add case" }));
    expect(await screen.findByText("This text holds a NUL character.")).toBeInTheDocument();
    expect(screen.getByText("A case may have 100 variables.")).toBeInTheDocument();
    expect(sent[0]?.body).toMatchObject({ inputs: { question: "Where?" }, split: null });
  });
});

describe("an import", () => {
  const preview = {
    format: "csv" as const,
    encoding: "utf-8" as const,
    delimiter: "," as const,
    columns: ["question", "labels"],
    mapping: [
      { column: "question", target: "variable" as const, variable: "question", is_json: false },
      { column: "labels", target: "variable" as const, variable: "labels", is_json: false },
    ],
    rows: [{ line: 2, values: { question: "Where?", labels: "late" } }],
    row_count: 2,
    good_rows: 1,
    bad_rows: 1,
    problem_count: 1,
    problems: [{ line: 3, column: null, message: "Cells in this row: 1.", code: "ragged_row" }],
    copies_in_file: 0,
    copies_in_dataset: 0,
  };
  const uploaded = {
    id: "i1",
    dataset_id: "d1",
    filename: "odd.csv",
    state: "pending" as const,
    size_bytes: 40,
    created_at: AT,
    expires_at: AT,
    preview,
    result: null,
  };

  it("shows each bad row with its line, and a wrong mapping where the mapping is", async () => {
    const sent = refuse("post", `${BASE}/d1/imports/i1/commit`, 400, {
      code: "VALIDATION_ERROR",
      details: [{ field: "mapping", message: "Two columns are mapped to {{q}}.", code: "x" }],
    });
    const { user } = await renderPage(
      <ImportReview
        at={PLACE}
        requiredVariables={["question"]}
        uploaded={uploaded}
        preview={preview}
        onChanged={vi.fn()}
        onCommitted={vi.fn()}
        onOtherFileWanted={vi.fn()}
      />,
    );
    expect(screen.getByRole("row", { name: /^3 .*Cells in this row/ })).toBeInTheDocument();
    await user.click(screen.getByRole("radio", { name: /^Skip 1 row/ }));
    await user.click(screen.getByRole("button", { name: "Import 1 case" }));
    const columns = screen.getByRole("region", { name: "Column mapping" });
    expect(await within(columns).findByRole("alert")).toHaveTextContent("mapped to {{q}}");
    expect(sent[0]?.body).toMatchObject({
      on_bad_rows: "skip",
      required_variables: ["question"],
    });
    expect(await axeViolations()).toEqual([]);
  });
});

describe("a generation", () => {
  it("says what it costs before it begins", async () => {
    const models = [aModel({ is_default: true })];
    answer("get", "projects/support-answers/models", { items: models, next: null, total: 1 });
    answer("get", `${BASE}/d1/generations`, { items: [], next: null, total: 0 });
    const estimated = answer("post", `${BASE}/d1/generations/estimate`, {
      calls: { low: 2, high: 4 },
      input_tokens: { low: 100, high: 200 },
      output_tokens: { low: 300, high: 900 },
      cost_usd: { low: "0.01", high: "0.05" },
      seconds: { low: 2, high: 20 },
      assumptions: ["Each call asks for up to 10 cases."],
    });
    const created = answer("post", `${BASE}/d1/generations`, { id: "g1" }, { status: 201 });
    const onOverlayChanged = vi.fn();
    const { user } = await renderPage(
      <GenerateDialog
        at={PLACE}
        variables={[{ name: "question", cases: 1 }]}
        kind="gaps"
        gap="Tags: late"
        generationId={undefined}
        onOverlayChanged={onOverlayChanged}
      />,
    );
    await user.click(await screen.findByRole("button", { name: "Estimate cost" }));
    expect(await screen.findByText("$0.01 to $0.05")).toBeInTheDocument();
    expect(screen.getByText("Each call asks for up to 10 cases.")).toBeInTheDocument();
    expect(created).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Generate 20 cases" }));
    await waitFor(() =>
      expect(onOverlayChanged).toHaveBeenCalledWith({ generate: "gaps", generation: "g1" }),
    );
    expect(created[0]?.body).toEqual(estimated[0]?.body);
  });
});
