import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { flushSync } from "react-dom";
import { describe, expect, it } from "vitest";
import { answer, refuse } from "@/testing/fake-server";
import { renderPage } from "@/testing/render";
import { keys } from "./keys";
import { familiesOf, useChange, type ChangeOptions } from "./use-change";

describe("what a change refreshes", () => {
  it.each([
    ["/projects/{project}/budgets/{budget_id}", ["projects", "demo", "budgets"]],
    ["/projects/{project}/credentials/{credential_id}/test", ["projects", "demo", "credentials"]],
    ["/projects/{project}", keys.projects],
  ])("is the resource of %s, and the audit log", (path, family) => {
    expect(familiesOf(path, { project: "demo" })).toEqual([family, keys.audit("demo")]);
  });

  it.each([
    ["/auth/tokens/{token_id}", keys.tokens],
    ["/notifications/{notification_id}/read", keys.notifications],
  ])("is the resource of %s outside of projects", (path, family) => {
    expect(familiesOf(path, {})).toEqual([family]);
  });
});

describe("a change", () => {
  const TOKEN = "auth/tokens/t1";

  function Revoke({ options }: { options: ChangeOptions<unknown, unknown> }) {
    const revoke = useChange("delete", "/auth/tokens/{token_id}", { token_id: "t1" }, options);
    return <button onClick={() => revoke.mutate(undefined)}>{revoke.status}</button>;
  }

  async function revoke(options: ChangeOptions<unknown, unknown> = {}) {
    const { queryClient, user } = await renderPage(<Revoke options={options} />);
    queryClient.setQueryData([...keys.tokens, {}], {});
    queryClient.setQueryData([...keys.sessions, {}], {});
    await user.click(screen.getByRole("button"));
    const isStale = (family: readonly unknown[]) =>
      queryClient.getQueryState([...family, {}])?.isInvalidated;
    return { tokens: () => isStale(keys.tokens), sessions: () => isStale(keys.sessions) };
  }

  it("sends one request, and invalidates the resource in its path and the given families", async () => {
    const sent = answer("delete", TOKEN, null);
    const { tokens, sessions } = await revoke({ also: [keys.sessions] });
    expect(await screen.findByText("success")).toBeVisible();
    expect(sent).toHaveLength(1);
    expect([tokens(), sessions()]).toEqual([true, true]);
  });

  it("refreshes nothing after a refusal, unless it always does", async () => {
    refuse("delete", TOKEN, 409, { code: "CONFLICT", message: "No." });
    const { tokens } = await revoke();
    expect(await screen.findByText("error")).toBeVisible();
    expect(tokens()).toBe(false);
  });

  it("refreshes after a refusal where another person may have been first", async () => {
    refuse("delete", TOKEN, 409, { code: "CONFLICT", message: "No." });
    const { tokens } = await revoke({ always: true });
    await waitFor(() => expect(tokens()).toBe(true));
  });

  it("tells its caller also when the caller is gone by then", async () => {
    answer("delete", TOKEN, null);
    const heard: string[] = [];
    function Row({ onRevoked }: { onRevoked: () => void }) {
      const options = { keep: onRevoked };
      const revoke = useChange("delete", "/auth/tokens/{token_id}", { token_id: "t1" }, options);
      const onSuccess = () => void heard.push("revoked");
      return <button onClick={() => revoke.mutate(undefined, { onSuccess })}>Revoke</button>;
    }
    function List() {
      const [isShown, setShown] = useState(true);
      return isShown ? <Row onRevoked={() => flushSync(() => setShown(false))} /> : <p>None</p>;
    }
    const { user } = await renderPage(<List />);
    await user.click(screen.getByRole("button"));
    expect(await screen.findByText("None")).toBeVisible();
    await waitFor(() => expect(heard).toEqual(["revoked"]));
  });
});
