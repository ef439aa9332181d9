import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "@/api/problem";
import type { DraftChange, DraftRead } from "@/api/types";
import { aDraft } from "@/testing/builders";
import { Saver } from "@/components/draft-saving/saver";
import { bodyOf } from "./content";
import { isDirty, savingBy } from "./draft-state";

/** Fake server whose saves are answered by hand, in order. */
class Server {
  readonly sent: DraftChange[] = [];
  readonly #waiting: { resolve: (draft: DraftRead) => void; reject: (error: unknown) => void }[] =
    [];

  readonly send = (change: DraftChange): Promise<DraftRead> => {
    this.sent.push(change);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  };

  async accept(version: number): Promise<void> {
    this.#waiting.shift()?.resolve(aDraft({ version }));
    await vi.advanceTimersByTimeAsync(0);
  }

  async refuse(problem: Problem): Promise<void> {
    this.#waiting.shift()?.reject(problem);
    await vi.advanceTimersByTimeAsync(0);
  }
}

function open() {
  const server = new Server();
  const saver = new Saver(
    aDraft({ text: "old" }),
    savingBy((content, { tools, version }) => server.send({ ...bodyOf(content, tools), version })),
  );
  const write = (text: string) => saver.edit({ ...saver.getState().mine, text });
  return { server, saver, write };
}

const stale = (current: DraftRead) =>
  new Problem(409, { code: "STALE", message: "", details: { current, yours: null } });

describe("a draft", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is saved after a pause, once for everything that was written", async () => {
    const { server, saver, write } = open();
    write("n");
    write("new");
    expect(server.sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1500);
    expect(server.sent).toMatchObject([{ text: "new", version: 1 }]);
    await server.accept(2);
    expect(saver.getState()).toMatchObject({ phase: "idle", version: 2 });
    expect(isDirty(saver.getState())).toBe(false);
  });

  it("saves what was written during a save with the version of that save", async () => {
    const { server, saver, write } = open();
    write("one");
    const saved = saver.flush();
    write("two");
    await server.accept(2);
    await server.accept(3);
    await saved;
    expect(server.sent).toMatchObject([
      { text: "one", version: 1 },
      { text: "two", version: 2 },
    ]);
  });

  it("keeps both texts when another member saved first, and saves the choice over theirs", async () => {
    const { server, saver, write } = open();
    write("mine");
    void saver.flush();
    const theirs = aDraft({ text: "theirs", version: 5 });
    await server.refuse(stale(theirs));
    expect(saver.getState()).toMatchObject({ phase: "conflict", theirs });
    expect(saver.getState().mine.text).toBe("mine");
    void saver.resolve({ ...saver.getState().mine, text: "both" });
    expect(server.sent.at(-1)).toMatchObject({ text: "both", version: 5 });
    await server.accept(6);
    expect(saver.getState()).toMatchObject({ phase: "idle", version: 6 });
  });

  it("saves nothing when theirs is taken", async () => {
    const { server, saver, write } = open();
    write("mine");
    void saver.flush();
    await server.refuse(stale(aDraft({ text: "theirs", version: 5 })));
    await saver.resolve({ ...saver.getState().mine, text: "theirs" });
    expect(server.sent).toHaveLength(1);
    expect(saver.getState()).toMatchObject({ phase: "idle", version: 5 });
  });

  it("tries again by itself while the server is out of reach", async () => {
    const { server, saver, write } = open();
    write("kept");
    void saver.flush();
    await server.refuse(Problem.unreachable());
    expect(saver.getState().phase).toBe("offline");
    await vi.advanceTimersByTimeAsync(5000);
    expect(server.sent).toHaveLength(2);
    await server.accept(2);
    expect(saver.getState().phase).toBe("idle");
  });

  it("waits for another text when the server refused this one", async () => {
    const { server, saver, write } = open();
    write("too long");
    void saver.flush();
    await server.refuse(new Problem(400, { code: "VALIDATION_ERROR", message: "Too long." }));
    expect(saver.getState().phase).toBe("failed");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.sent).toHaveLength(1);
    write("short");
    await vi.advanceTimersByTimeAsync(1500);
    expect(server.sent.at(-1)).toMatchObject({ text: "short" });
  });

  it("takes over what another member saved only while no own change is lost", () => {
    const { saver, write } = open();
    saver.read(aDraft({ text: "news", version: 2 }));
    expect(saver.getState().mine.text).toBe("news");
    write("mine");
    saver.read(aDraft({ text: "more news", version: 3 }));
    expect(saver.getState().mine.text).toBe("mine");
    expect(saver.getState().version).toBe(2);
  });

  it("does not go back to an older draft that arrives late", () => {
    const { saver } = open();
    saver.replace(aDraft({ text: "newest", version: 4 }));
    saver.read(aDraft({ text: "late", version: 3 }));
    expect(saver.getState().mine.text).toBe("newest");
  });

  it("keeps tools that are being typed when another member saves", () => {
    const { saver } = open();
    saver.edit({ ...saver.getState().mine, toolsText: "[{" });
    saver.read(aDraft({ text: "news", version: 2 }));
    expect(saver.getState().mine.toolsText).toBe("[{");
  });
});
