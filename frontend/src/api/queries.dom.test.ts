import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { answer, refuse } from "@/testing/fake-server";
import { keys, listsOf } from "./keys";
import { Problem } from "./problem";
import { allPages, APART, ask, pages, query } from "./queries";
import { send } from "./request";

const PROMPTS = "/projects/{project}/prompts";
const promptAt = (id: string) =>
  query(`${PROMPTS}/{prompt_id}`, { project: "demo", prompt_id: id });

describe("the key of a query", () => {
  it("is the address, and what was asked", () => {
    expect(promptAt("p1").queryKey).toEqual(["projects", "demo", "prompts", "p1", {}]);
    expect(pages(PROMPTS, { project: "demo", query: { q: "a" } }).queryKey).toEqual([
      "projects",
      "demo",
      "prompts",
      { query: { q: "a" }, read: "pages" },
    ]);
  });

  it("is in another family where that is declared, and apart for questions", () => {
    const kinds = query(
      "/projects/{project}/scorers/kinds",
      { project: "demo" },
      { family: APART },
    );
    expect(kinds.queryKey).toEqual(["projects", "demo", APART, "scorers", "kinds", {}]);
    const body = { inputs: {} };
    const preview = ask(
      `${PROMPTS}/{prompt_id}/preview`,
      { project: "demo", prompt_id: "p1", body },
      { turn: 2 },
    );
    expect(preview.queryKey.at(2)).toBe(APART);
    expect(preview.queryKey.at(-1)).toEqual({ body, turn: 2 });
  });
});

describe("refreshing", () => {
  const stale = async (family: readonly unknown[]) => {
    const queryClient = new QueryClient();
    const known: Record<string, QueryKey> = {
      list: pages(PROMPTS, { project: "demo" }).queryKey,
      choices: allPages(PROMPTS, { project: "demo" }).queryKey,
      one: promptAt("p1").queryKey,
      kinds: query("/projects/{project}/scorers/kinds", { project: "demo" }, { family: APART })
        .queryKey,
      project: query("/projects/{project}", { project: "demo" }).queryKey,
      projects: pages("/projects", {}).queryKey,
    };
    for (const key of Object.values(known)) {
      queryClient.setQueryData(key, {});
    }
    await queryClient.invalidateQueries({ queryKey: family });
    return Object.entries(known)
      .filter(([, key]) => queryClient.getQueryState(key)?.isInvalidated)
      .map(([name]) => name);
  };

  it("reaches a family, its lists alone, the project itself, or everything in it", async () => {
    expect(await stale(keys.prompts("demo"))).toEqual(["list", "choices", "one"]);
    expect(await stale(listsOf(keys.prompts("demo")))).toEqual(["list", "choices"]);
    expect(await stale(keys.detail("demo"))).toEqual(["project"]);
    expect(await stale(keys.projects)).toEqual(["projects"]);
    expect(await stale(keys.scorers("demo"))).toEqual([]);
    expect(await stale(keys.project("demo"))).toEqual([
      "list",
      "choices",
      "one",
      "kinds",
      "project",
    ]);
  });
});

describe("requests", () => {
  it("leave out filters that are not set, and read every page of a whole list", async () => {
    const seen = answer("get", "projects/demo/prompts", { items: [{ id: "p1" }], next: null });
    const queryClient = new QueryClient();
    const items = await queryClient.query(
      allPages(PROMPTS, { project: "demo", query: { kind: "grader", q: undefined } }),
    );
    expect(items).toEqual([{ id: "p1" }]);
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({
      kind: "grader",
      limit: "100",
    });
  });

  it("throw the server's problem", async () => {
    refuse("delete", "projects/demo/prompts/p1", 409, { code: "IN_USE", message: "In use." });
    const call = send("delete", `${PROMPTS}/{prompt_id}`, { project: "demo", prompt_id: "p1" });
    await expect(call).rejects.toBeInstanceOf(Problem);
  });
});
