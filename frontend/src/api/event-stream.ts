export interface StreamEvent {
  name: string;
  data: string;
}

/**
 * Incremental parser for server-sent events, as specified by the HTML standard. Input may be split
 * anywhere. An event cut off by the end of the stream is discarded.
 */
export class EventStreamParser {
  private line = "";
  private afterReturn = false;
  private atStart = true;
  private name = "";
  private data: string[] = [];

  push(text: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const character of this.withoutMark(text)) {
      const endsPair = this.afterReturn && character === "\n";
      this.afterReturn = character === "\r";
      if (endsPair) {
        continue;
      }
      if (character === "\n" || character === "\r") {
        const event = this.endLine();
        if (event !== null) {
          events.push(event);
        }
      } else {
        this.line += character;
      }
    }
    return events;
  }

  private withoutMark(text: string): string {
    if (!this.atStart || text === "") {
      return text;
    }
    this.atStart = false;
    return text.replace(/^\uFEFF/, "");
  }

  private endLine(): StreamEvent | null {
    const { line } = this;
    this.line = "";
    if (line === "") {
      return this.dispatch();
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") {
      this.name = value;
    } else if (field === "data") {
      this.data.push(value);
    }
    return null;
  }

  private dispatch(): StreamEvent | null {
    const event = { name: this.name === "" ? "message" : this.name, data: this.data.join("\n") };
    const hasData = this.data.length > 0;
    this.name = "";
    this.data = [];
    return hasData ? event : null;
  }
}

/** Yields the events of a response body until it ends or is aborted. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const parser = new EventStreamParser();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
