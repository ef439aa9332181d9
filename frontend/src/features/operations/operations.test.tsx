import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { describe, expect, it } from "vitest";
import type { DeadJob, Operations } from "@/api/types";
import { aProject } from "@/testing/builders";
import { answer, fakeServer, refuse } from "@/testing/fake-server";
import { aDeadJob, aProcess, someOperations } from "@/testing/operations-builders";
import { axeViolations, renderPage } from "@/testing/render";
import { OperationsPage } from "./operations-page";

const BASE = "projects/support-answers/operations";

interface Given {
  operations?: Partial<Operations>;
  dead?: DeadJob[];
}

const listOf = (items: DeadJob[]) => ({ items, next: null, total: items.length });

async function openOperations({ operations = {}, dead = [] }: Given = {}) {
  const asked = answer("get", BASE, someOperations({ dead_job_count: dead.length, ...operations }));
  answer("get", `${BASE}/dead-jobs`, listOf(dead));
  const page = await renderPage(<OperationsPage project={aProject({ role: "ADMIN" })} />);
  await waitFor(() => expect(document.querySelector("[aria-busy=true]")).toBeNull());
  return { ...page, asked };
}

describe("the overview", () => {
  it("says that all is well when nothing waits", async () => {
    await openOperations();
    expect(screen.getByText("Queue is empty")).toBeInTheDocument();
    expect(screen.getByText("Jobs run in the server or its engine process")).toBeInTheDocument();
    expect(screen.getByText("The queue is empty")).toBeInTheDocument();
    expect(screen.getByText("No failed jobs")).toBeInTheDocument();
    expect(screen.queryByText("No worker is running")).not.toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
  });

  it("shows what waits and runs, and who is silent", async () => {
    await openOperations({
      operations: {
        mode: "distributed",
        queue: {
          waiting: 1200,
          running: 64,
          oldest_waiting_seconds: 154.3,
          depths: [
            { task: "fill_chunk", priority: "normal", waiting: 1200, running: 63 },
            { task: "of_tomorrow", priority: "interactive", waiting: 0, running: 1 },
          ],
        },
        processes: [
          aProcess({ does_jobs: false }),
          aProcess({ id: "w2", kind: "worker", host: "far", chunk_count: 3, call_count: 24 }),
          aProcess({ id: "w3", kind: "worker", host: "gone", seen_seconds: 65, is_silent: true }),
        ],
      },
    });
    expect(screen.getByText("Oldest waits 2 min 34 s")).toBeInTheDocument();
    const queue = within(screen.getByRole("table", { name: "Queue" }));
    const [, chunks, unknown] = queue.getAllByRole("row").map((row) => within(row));
    expect(chunks?.getByText("Answer and score run cases")).toBeInTheDocument();
    expect(chunks?.getByText("1,200")).toBeInTheDocument();
    expect(unknown?.getByText("of_tomorrow")).toBeInTheDocument();
    const processes = within(screen.getByRole("table", { name: "Processes" }));
    const [, , worker, gone] = processes.getAllByRole("row").map((row) => within(row));
    expect(worker?.getByText("far")).toBeInTheDocument();
    expect(worker?.getByText("24")).toBeInTheDocument();
    expect(gone?.getByText("No heartbeat")).toBeInTheDocument();
    expect(gone?.getByText("1 min 5 s ago")).toBeInTheDocument();
    expect(screen.queryByText("No worker is running")).not.toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
  });

  it("explains what to do when no worker is left", async () => {
    await openOperations({
      operations: {
        mode: "distributed",
        processes: [
          aProcess({ does_jobs: false }),
          aProcess({ id: "w2", kind: "worker", is_silent: true }),
        ],
      },
    });
    expect(screen.getByText("No worker is running")).toBeInTheDocument();
    expect(screen.getByText("edison worker")).toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
  });

  it("explains why nothing can be stored", async () => {
    await openOperations({ operations: { trouble: "The disk is full." } });
    expect(screen.getByRole("alert")).toHaveTextContent(
      "The disk is full. Work resumes automatically when this is resolved.",
    );
  });

  it("offers to try again when the server does not answer", async () => {
    refuse("get", BASE, 500, { code: "INTERNAL_SERVER_ERROR" });
    answer("get", `${BASE}/dead-jobs`, listOf([]));
    const { user } = await renderPage(<OperationsPage project={aProject({ role: "ADMIN" })} />);
    const again = await screen.findByRole("button", { name: "Retry" });
    answer("get", BASE, someOperations());
    await user.click(again);
    expect(await screen.findByText("Queue is empty")).toBeInTheDocument();
  });
});

/** Empties the list once the request was sent: the page polls, so earlier would remove the row. */
function emptyAfter(method: "post" | "delete", path: string) {
  fakeServer.use(
    http[method](`*/api/v1/${path}`, () => void answer("get", `${BASE}/dead-jobs`, listOf([]))),
  );
}

describe("jobs that failed for good", () => {
  it("are queued again, and leave the list", async () => {
    const { user } = await openOperations({ dead: [aDeadJob()] });
    const row = within(screen.getByRole("row", { name: /generate_cases:g1/ }));
    expect(row.getByText("Generate cases")).toBeInTheDocument();
    expect(row.getByText("RuntimeError (trace abc)")).toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
    const sent = answer("post", `${BASE}/dead-jobs/j1/retry`, null);
    emptyAfter("post", `${BASE}/dead-jobs/j1/retry`);
    await user.click(row.getByRole("button", { name: "Retry generate_cases:g1" }));
    expect(await screen.findByText("Job queued again.")).toBeInTheDocument();
    expect(await screen.findByText("No failed jobs")).toBeInTheDocument();
    expect(sent).toHaveLength(1);
  });

  it("are discarded only after a second look", async () => {
    const { user } = await openOperations({ dead: [aDeadJob()] });
    const sent = answer("delete", `${BASE}/dead-jobs/j1`, null);
    const discard = screen.getByRole("button", { name: "Discard generate_cases:g1" });
    await user.click(discard);
    const dialog = within(await screen.findByRole("dialog", { name: "Discard this job?" }));
    expect(sent).toHaveLength(0);
    emptyAfter("delete", `${BASE}/dead-jobs/j1`);
    await user.click(dialog.getByRole("button", { name: "Discard" }));
    expect(await screen.findByText("Job discarded.")).toBeInTheDocument();
    expect(await screen.findByText("No failed jobs")).toBeInTheDocument();
    expect(sent).toHaveLength(1);
  });

  it("say so when another member was quicker", async () => {
    const { user } = await openOperations({ dead: [aDeadJob()] });
    const message = "This job was already retried or discarded.";
    refuse("post", `${BASE}/dead-jobs/j1/retry`, 404, { code: "NOT_FOUND", message });
    await user.click(screen.getByRole("button", { name: "Retry generate_cases:g1" }));
    expect(await screen.findByText(message)).toBeInTheDocument();
  });
});
