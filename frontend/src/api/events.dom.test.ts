import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openStream, type StreamOptions, type StreamStatus } from "./events";

class FakeSource extends EventTarget {
  static opened: FakeSource[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  constructor(readonly url: string) {
    super();
    FakeSource.opened.push(this);
  }
  close() {
    this.readyState = 2;
  }
  succeed() {
    this.readyState = 1;
    this.onopen?.();
  }
  /** Refused: the browser does not reconnect. */
  refuse() {
    this.readyState = 2;
    this.onerror?.();
  }
}

function latest(): FakeSource {
  const source = FakeSource.opened.at(-1);
  if (source === undefined) {
    throw new Error("no stream was opened");
  }
  return source;
}

describe("openStream", () => {
  const seen: [string, unknown][] = [];
  const statuses: StreamStatus[] = [];
  const onResync = vi.fn();
  const options: StreamOptions = {
    after: 7,
    names: ["member.changed"],
    onEvent: (name, data) => seen.push([name, data]),
    onStatus: (status) => statuses.push(status),
    onResync,
    createSource: (url) => new FakeSource(url) as unknown as EventSource,
  };
  let close: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    FakeSource.opened = [];
    seen.length = 0;
    statuses.length = 0;
    onResync.mockClear();
    close = openStream("/events", options);
  });
  afterEach(() => {
    close();
    vi.useRealTimers();
  });

  it("passes named events on with their data", () => {
    latest().succeed();
    latest().dispatchEvent(new MessageEvent("member.changed", { data: '{"entity_id":"7"}' }));
    expect(seen).toEqual([["member.changed", { entity_id: "7" }]]);
    expect(statuses).toEqual(["connecting", "connected"]);
  });

  it("starts after the event that the page knows", () => {
    expect(latest().url).toBe("/events?after=7");
    latest().succeed();
    expect(onResync).not.toHaveBeenCalled();
  });

  it("asks to read everything again when the page knows no event", () => {
    close();
    close = openStream("/events", { ...options, after: null });
    expect(latest().url).toBe("/events");
    latest().succeed();
    expect(onResync).toHaveBeenCalledOnce();
  });

  it("reopens a refused stream and asks to read everything again", () => {
    latest().succeed();
    latest().refuse();
    expect(statuses.at(-1)).toBe("reconnecting");
    vi.advanceTimersByTime(5000);
    expect(FakeSource.opened).toHaveLength(2);
    expect(latest().url).toBe("/events");
    expect(onResync).not.toHaveBeenCalled();
    latest().succeed();
    expect(onResync).toHaveBeenCalledOnce();
  });

  it("polls from the first refusal on and tries again less and less often", () => {
    latest().refuse();
    vi.advanceTimersByTime(5000);
    expect(FakeSource.opened).toHaveLength(2);
    latest().refuse();
    vi.advanceTimersByTime(5000);
    expect(onResync).toHaveBeenCalledOnce();
    expect(FakeSource.opened).toHaveLength(2);
    vi.advanceTimersByTime(5000);
    expect(FakeSource.opened).toHaveLength(3);
    for (let failure = 0; failure < 10; failure += 1) {
      latest().refuse();
      vi.advanceTimersByTime(60_000);
    }
    expect(FakeSource.opened).toHaveLength(13);
  });

  it("polls while the stream keeps failing and stops when it is back", () => {
    for (let failure = 0; failure < 3; failure += 1) {
      latest().refuse();
      vi.advanceTimersByTime(5000);
    }
    expect(statuses.at(-1)).toBe("polling");
    vi.advanceTimersByTime(10_000);
    expect(onResync.mock.calls.length).toBeGreaterThan(0);
    latest().succeed();
    const calls = onResync.mock.calls.length;
    vi.advanceTimersByTime(60_000);
    expect(onResync).toHaveBeenCalledTimes(calls);
  });

  it("opens nothing after it was closed", () => {
    latest().refuse();
    close();
    vi.advanceTimersByTime(60_000);
    expect(FakeSource.opened).toHaveLength(1);
  });
});
