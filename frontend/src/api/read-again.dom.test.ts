import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { readAgain } from "./read-again";

const KEY = ["projects", "demo", "experiments"];

/** A query on the page, whose answers come when they are told to. */
function onPage(queryClient: QueryClient) {
  const answers: ((state: string) => void)[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: [...KEY, "e1"],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  return { answers, observer, leave: observer.subscribe(() => undefined) };
}

it("reads a second time what was first read while something happened", async () => {
  const queryClient = new QueryClient();
  const { answers, observer, leave } = onPage(queryClient);
  readAgain(queryClient, KEY);
  readAgain(queryClient, KEY);
  expect(answers).toHaveLength(1);
  answers[0]?.("running");
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.("failed");
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("failed"));
  expect(answers).toHaveLength(2);
  leave();
});

it("reads at once what was read before", async () => {
  const queryClient = new QueryClient();
  const { answers, leave } = onPage(queryClient);
  answers[0]?.("running");
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  readAgain(queryClient, KEY);
  expect(answers).toHaveLength(2);
  leave();
});
