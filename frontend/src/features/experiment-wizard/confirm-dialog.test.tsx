import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { aModel } from "@/testing/builders";
import { anExperiment, aPricedEstimate, BLANK as DRAFT } from "@/testing/experiment-builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { ConfirmDialog } from "./confirm-dialog";
import { EstimatePanel } from "./estimate-panel";

const E = "projects/shop/experiments/e1";
const EXPERIMENT = anExperiment({ name: "Replies" });

describe("the estimate and the last question", () => {
  it("shows the numbers, or which steps are in their way", async () => {
    answer("get", "projects/shop/models", { items: [], next: null, total: 0 });
    const onStepWanted = vi.fn();
    const shared = { slug: "shop", isCurrent: true, error: null, onRetry: vi.fn(), onStepWanted };
    const problem = {
      step: "data" as const,
      field: "data.dataset_id",
      message: "No cases.",
      code: "x",
    };
    const { user } = await renderPage(
      <>
        <EstimatePanel {...shared} draft={DRAFT} estimate={aPricedEstimate()} />
        <EstimatePanel
          {...shared}
          draft={DRAFT}
          estimate={aPricedEstimate({ iteration: null, problems: [problem] })}
        />
      </>,
    );
    expect(await screen.findByText("$6.00 – $20.00")).toBeInTheDocument();
    expect(screen.getByText("60 answers, 60 judge calls, 2 refiner calls")).toBeInTheDocument();
    expect(screen.getByText("The budget covers all iterations.")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Test data" }));
    expect(onStepWanted).toHaveBeenCalledWith("data");
  });

  it("shows numbers of an unfinished draft with what they assume, and every budget", async () => {
    answer("get", "projects/shop/models", { items: [], next: null, total: 0 });
    const onStepWanted = vi.fn();
    const message = "10 cases until you add some.";
    const shared = { slug: "shop", isCurrent: true, error: null, onRetry: vi.fn(), onStepWanted };
    const { user } = await renderPage(
      <EstimatePanel
        {...shared}
        draft={DRAFT}
        estimate={aPricedEstimate({
          problems: [{ step: "data", field: "data.dataset_id", message: "No cases.", code: "x" }],
          stand_ins: [{ step: "data", message }],
          assumptions: [message, "Answers have 200 tokens."],
          budgets: [
            {
              budget_id: "b1",
              name: "budget of the project",
              period: "day",
              counts_simulated: false,
              left_usd: "0.15",
              fit: "too_small",
            },
          ],
        })}
      />,
    );
    expect(await screen.findByText("$6.00 – $20.00")).toBeInTheDocument();
    expect(screen.getByText(/too small for one iteration: \$0.15 left/)).toBeInTheDocument();
    expect(screen.getByText("Assumed until these steps are complete")).toBeInTheDocument();
    // Shown once, beside its step, and not again among the assumptions.
    await user.click(screen.getByText("Assumptions"));
    expect(screen.getByText("Answers have 200 tokens.")).toBeInTheDocument();
    expect(screen.getAllByText(message)).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Test data" }));
    expect(onStepWanted).toHaveBeenCalledWith("data");
    expect(await axeViolations()).toEqual([]);
  });

  it("creates, starts, and reports when only the start was refused", async () => {
    const simulated = aModel({ id: "m2", display_name: "Sim", is_simulated: true });
    const items = [aModel(), simulated];
    answer("get", "projects/shop/models", { items, next: null, total: 2 });
    const confirmed = answer("post", `${E}/confirm`, { id: "e1" });
    answer("post", `${E}/iterations`, { id: "i7" }, { status: 201 });
    const told = {
      onCreated: vi.fn(),
      onStarted: vi.fn(),
      onClosed: vi.fn(),
      onStepWanted: vi.fn(),
    };
    const { user } = await renderPage(
      <ConfirmDialog
        slug="shop"
        experiment={EXPERIMENT}
        draft={{
          ...DRAFT,
          models: { ...DRAFT.models, models: [{ model_id: "m1", parameters: null }] },
          judges: { ...DRAFT.judges, judges: ["m2"] },
        }}
        estimate={aPricedEstimate()}
        {...told}
      />,
    );
    const dialog = await screen.findByRole("dialog", { name: "Create Replies?" });
    const termOf = (name: string) => within(dialog).findByText(name);
    expect((await termOf("Answers")).nextSibling).toHaveTextContent(/^GPT-4o$/);
    expect((await termOf("Judges")).nextSibling).toHaveTextContent(/^SimSimulated$/);
    expect((await termOf("Refiner")).nextSibling).toHaveTextContent(/^SimSimulated$/);
    await user.click(within(dialog).getByRole("button", { name: "Create & run" }));
    await vi.waitFor(() => expect(told.onStarted).toHaveBeenCalledWith("i7"));
    refuse("post", `${E}/iterations`, 409, {
      code: "NOT_READY",
      message: "x",
      details: {
        reasons: [{ code: "budget_exceeded", message: "The project's budget is used up." }],
      },
    });
    await user.click(within(dialog).getByRole("button", { name: "Create & run" }));
    expect(await within(dialog).findByRole("alert")).toHaveTextContent(
      "The project's budget is used up.",
    );
    await user.click(within(dialog).getByRole("button", { name: "Open experiment" }));
    expect(told.onCreated).toHaveBeenCalledOnce();
    expect(confirmed).toHaveLength(2);
  });

  it("leads to the step that is refused", async () => {
    answer("get", "projects/shop/models", { items: [], next: null, total: 0 });
    refuse("post", `${E}/confirm`, 400, {
      code: "VALIDATION_ERROR",
      details: [{ field: "models.models", message: "Select at least one model.", code: "too_few" }],
    });
    const told = {
      onCreated: vi.fn(),
      onStarted: vi.fn(),
      onClosed: vi.fn(),
      onStepWanted: vi.fn(),
    };
    const again = anExperiment({ name: "Replies", state: "ready" });
    const { user } = await renderPage(
      <ConfirmDialog
        slug="shop"
        experiment={again}
        draft={DRAFT}
        estimate={aPricedEstimate()}
        {...told}
      />,
    );
    await user.click(await screen.findByRole("button", { name: "Save configuration" }));
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Models: Select at least one model.");
    await user.click(within(alert).getByRole("button", { name: "Models" }));
    expect(told.onStepWanted).toHaveBeenCalledWith("models");
    expect(await axeViolations()).toEqual([]);
  });
});
