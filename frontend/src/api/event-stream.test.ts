import { describe, expect, it } from "vitest";
import { EventStreamParser, readEvents, type StreamEvent } from "./event-stream";

function parse(...pieces: string[]): StreamEvent[] {
  const parser = new EventStreamParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

const TEXT = 'event: delta\r\ndata: {"a":1}\r\n\r\n: beat\n\ndata: one\ndata:two\r\r';
const EVENTS = [
  { name: "delta", data: '{"a":1}' },
  { name: "message", data: "one\ntwo" },
];

describe("EventStreamParser", () => {
  it("reads names, several lines of data, comments and every kind of line end", () => {
    expect(parse(TEXT)).toEqual(EVENTS);
  });

  it("reads the same wherever the text is cut", () => {
    for (let at = 0; at <= TEXT.length; at += 1) {
      expect(parse(TEXT.slice(0, at), TEXT.slice(at))).toEqual(EVENTS);
    }
    expect(parse(...Array.from(TEXT))).toEqual(EVENTS);
  });

  it("says an event at its empty line, not when the next one begins", () => {
    const parser = new EventStreamParser();
    expect(parser.push("data: x\r\n\r")).toEqual([{ name: "message", data: "x" }]);
    expect(parser.push("\n")).toEqual([]);
  });

  it("leaves out what has no data, what is cut off, and fields it does not know", () => {
    expect(parse("event: empty\n\nid: 7\nretry: 5\nweird\ndata: kept\n\ndata: cut off")).toEqual([
      { name: "message", data: "kept" },
    ]);
  });

  it("takes away one leading space only, and a byte order mark", () => {
    expect(parse("\uFEFFdata:  two\n\ndata\n\n")).toEqual([
      { name: "message", data: " two" },
      { name: "message", data: "" },
    ]);
  });
});

describe("readEvents", () => {
  it("joins characters whose bytes arrive apart", async () => {
    const bytes = new TextEncoder().encode("data: 深い\n\n");
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        bytes.forEach((byte) => controller.enqueue(Uint8Array.of(byte)));
        controller.close();
      },
    });
    const events: StreamEvent[] = [];
    for await (const event of readEvents(body)) {
      events.push(event);
    }
    expect(events).toEqual([{ name: "message", data: "深い" }]);
  });

  it("releases the connection when reading stops", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const event of readEvents(body)) {
      expect(event.data).toBe("x");
      break;
    }
    expect(cancelled).toBe(true);
  });
});
