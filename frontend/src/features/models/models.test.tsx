import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it, vi } from "vitest";
import type { Model } from "@/api/types";
import { aCredential, aModel, aProject, aProvider } from "@/testing/builders";
import { answer, fakeServer, refuse } from "@/testing/fake-server";
import { anInsight } from "@/testing/model-insight-builders";
import { axeViolations, renderPage } from "@/testing/render";
import type { Role } from "@/lib/permissions";
import { ModelsPage } from "./models-page";
import type { ModelOverlay } from "./overlay";

const BASE = "projects/support-answers";
const SPARE = aModel({
  id: "m2",
  display_name: "Spare",
  provider_model: "spare",
  is_default: true,
});

interface Given {
  role?: Role;
  models?: Model[];
  overlay?: ModelOverlay;
  connected?: boolean;
}

async function openModels(given: Given = {}) {
  const { role = "ADMIN", models = [aModel(), SPARE], overlay = {}, connected = true } = given;
  const list = (items: object[]) => ({ items, next: null, total: items.length }) as never;
  answer("get", `${BASE}/models`, list(models));
  answer("get", `${BASE}/credentials`, list(connected ? [aCredential()] : []));
  answer("get", `${BASE}/providers`, list([aProvider()]));
  answer("get", `${BASE}/models/insight`, anInsight());
  refuse("get", `${BASE}/known-models`, 404, { code: "NOT_FOUND" });
  const [onOverlayChanged, onModelsImported] = [vi.fn(), vi.fn()];
  const page = await renderPage(
    <ModelsPage
      project={aProject({ role })}
      view={{}}
      onViewChanged={vi.fn()}
      overlay={overlay}
      onOverlayChanged={onOverlayChanged}
      onModelsImported={onModelsImported}
    />,
  );
  await waitFor(() => expect(document.querySelector("[aria-busy=true]")).toBeNull());
  return { ...page, onOverlayChanged, onModelsImported };
}

/** Event stream of a model trial. */
function stream(...events: [name: string, data: object][]) {
  const text = events
    .map(([name, data]) => `event: ${name}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`)
    .join("");
  const asked: unknown[] = [];
  fakeServer.use(
    http.post(`*/api/v1/${BASE}/models/m1/try`, async ({ request }) => {
      asked.push(await request.json());
      return new HttpResponse(text, { headers: { "Content-Type": "text/event-stream" } });
    }),
  );
  return asked;
}

const ANSWERED = {
  text: "Paris <b>it is</b>.",
  finish_reason: "stop",
  model: "gpt-4o-2026",
  is_cached: false,
  is_simulated: false,
  usage: {
    input_tokens: 1200,
    output_tokens: 9,
    cached_input_tokens: 1000,
    reasoning_tokens: 4,
    is_estimated: false,
  },
  cost_usd: "0.000123",
  price_version: "2026.10",
  latency_seconds: 1.25,
  first_token_seconds: 0.3,
  attempts: 1,
  waited_seconds: 0,
  ignored_parameters: ["seed"],
  request_id: null,
  tool_calls: [],
};

describe("the page of models", () => {
  it("leads to a provider first when none is connected", async () => {
    await openModels({ models: [], connected: false });
    expect(screen.getByRole("button", { name: "Use simulated models" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Connect a provider" })).toBeVisible();
  });

  it("offers to import when a provider is there", async () => {
    const { user, onOverlayChanged } = await openModels({ models: [] });
    await user.click(screen.getByRole("button", { name: "Add models" }));
    expect(onOverlayChanged).toHaveBeenCalledWith({ import: "choose" });
  });

  it("shows prices in either unit and remembers which", async () => {
    const { user } = await openModels();
    const row = screen.getByRole("row", { name: /gpt-4o/ });
    expect(row).toHaveTextContent("$2.50 / $10.00");
    await user.click(screen.getByRole("radio", { name: "per 1K" }));
    expect(row).toHaveTextContent("$0.0025 / $0.01");
    expect(localStorage.getItem("edison-price-unit")).toBe("thousand");
    await user.click(screen.getByRole("radio", { name: "per 1M" }));
    expect(await axeViolations()).toEqual([]);
  });

  it("switches a model off and makes another the default", async () => {
    const { user } = await openModels();
    const sent = answer("patch", `${BASE}/models/m1`, aModel());
    await user.click(screen.getByRole("switch", { name: "Enable GPT-4o" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ is_enabled: false }));
    await user.click(screen.getByRole("button", { name: "Make GPT-4o the default model" }));
    await waitFor(() => expect(sent[1]?.body).toEqual({ is_default: true }));
  });

  it("lets viewers look but neither change nor try", async () => {
    await openModels({ role: "VIEWER" });
    expect(screen.getByText(/requires the Editor role/)).toBeInTheDocument();
    expect(screen.getByRole("switch", { name: "Enable GPT-4o" })).toBeDisabled();
    expect(screen.queryByRole("button", { name: /^Try/ })).not.toBeInTheDocument();
  });

  it("adds what was chosen from the provider's list", async () => {
    const items = [
      { id: "gpt-4o", display_name: null, context_window: null },
      { id: "o9", display_name: "O nine", context_window: 1000 },
    ];
    answer("get", `${BASE}/credentials/c1/available-models`, { items, next: null, total: 2 });
    const { user, onModelsImported } = await openModels({ overlay: { import: "c1" } });
    const sent = answer("post", `${BASE}/models/import`, { created: [aModel()], skipped: [] });
    expect(await screen.findByRole("checkbox", { name: "gpt-4o" })).toBeDisabled();
    await user.click(screen.getByRole("checkbox", { name: "o9" }));
    await user.click(screen.getByRole("button", { name: "Add 1 model" }));
    await waitFor(() => expect(onModelsImported).toHaveBeenCalled());
    expect(sent[0]?.body).toEqual({ credential_id: "c1", provider_models: ["o9"] });
  });

  it("keeps a changed drawer open until its changes are given up", async () => {
    const { user, onOverlayChanged } = await openModels({ overlay: { model: "m1" } });
    const drawer = await screen.findByRole("dialog", { name: /GPT-4o/ });
    await user.type(within(drawer).getByLabelText(/^Display name/), "!");
    await user.keyboard("{Escape}");
    await user.click(await screen.findByRole("button", { name: "Stay" }));
    expect(onOverlayChanged).not.toHaveBeenCalled();
    const sent = answer("patch", `${BASE}/models/m1`, aModel());
    await user.click(within(drawer).getByRole("button", { name: "Save changes" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ display_name: "GPT-4o!" }));
  });

  it("switches costly models off, except those that are spared", async () => {
    const costly = [aModel(), SPARE].map((model) => ({
      model,
      usd_per_thousand: "0.02",
      reason: "Costs much.",
    }));
    answer("get", `${BASE}/model-advice`, {
      balanced_set: [],
      costly,
      unpriced: [aModel({ id: "m3", display_name: "Mystery" })],
      limit_usd_per_thousand: "0.01",
    } as never);
    const { user } = await openModels({ overlay: { advice: "costly" } });
    const sent = answer("patch", `${BASE}/models`, null);
    expect(await screen.findByText("Mystery")).toBeInTheDocument();
    await user.click(screen.getByRole("checkbox", { name: "Spare" }));
    await user.click(screen.getByRole("button", { name: "Disable 1 model" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ model_ids: ["m1"], is_enabled: false }));
  });
});

describe("trying a model", () => {
  it("shows the answer as text, and what it took", async () => {
    const asked = stream(["delta", { text: "Par" }], ["answered", ANSWERED]);
    const { user } = await openModels({ overlay: { try: "m1" } });
    await user.type(await screen.findByLabelText(/^Prompt/), "Capital of France?");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(await screen.findByText("Paris <b>it is</b>.")).toBeInTheDocument();
    const region = screen.getByRole("region", { name: "Answer" });
    for (const fact of ["1,200", "1,000 cached", "4 reasoning", "$0.000123", "1.25 s", "seed"]) {
      expect(within(region).getByText(fact)).toBeInTheDocument();
    }
    expect(asked).toEqual([
      { prompt: "Capital of France?", system: null, parameters: null, is_cache_bypassed: false },
    ]);
    expect(await axeViolations()).toEqual([]);
  });

  it("says when an answer was free, and asks again without the cache", async () => {
    const asked = stream(["answered", { ...ANSWERED, is_cached: true, cost_usd: "0" }]);
    const { user } = await openModels({ overlay: { try: "m1" } });
    await user.type(await screen.findByLabelText(/^Prompt/), "Hello");
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByText("Free (cached)")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Re-run without cache" }));
    await waitFor(() => expect(asked[1]).toMatchObject({ is_cache_bypassed: true }));
  });

  it("shows the sentence and the code of a failure", async () => {
    stream([
      "failed",
      {
        reason: "rate_limit",
        message: "OpenAI asks to slow down.",
        attempts: 3,
        cost_usd: null,
        waited_seconds: 2,
        usage: null,
      },
    ]);
    const { user } = await openModels({ overlay: { try: "m1" } });
    await user.type(await screen.findByLabelText(/^Prompt/), "Hello");
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByText("OpenAI asks to slow down.")).toBeInTheDocument();
    expect(screen.getByText("rate_limit")).toBeInTheDocument();
  });

  it("distinguishes a broken connection from an answer", async () => {
    stream(["delta", { text: "Par" }]);
    const { user } = await openModels({ overlay: { try: "m1" } });
    await user.type(await screen.findByLabelText(/^Prompt/), "Hello");
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByText(/Connection lost/)).toBeInTheDocument();
    expect(screen.getByText("Par")).toBeInTheDocument();
  });

  it("shows a refusal that came before the stream", async () => {
    refuse("post", `${BASE}/models/m1/try`, 422, {
      code: "VALIDATION_ERROR",
      message: "The temperature is too high.",
    });
    const { user } = await openModels({ overlay: { try: "m1" } });
    await user.type(await screen.findByLabelText(/^Prompt/), "Hello");
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByText("The temperature is too high.")).toBeInTheDocument();
  });

  it("asks nothing without a prompt, and says when the model is gone", async () => {
    const { user } = await openModels({ overlay: { try: "gone" } });
    expect(await screen.findByText(/This model was deleted/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(screen.queryByRole("region", { name: "Answer" })).not.toBeInTheDocument();
  });
});
