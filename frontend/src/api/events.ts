export type StreamStatus = "connecting" | "connected" | "reconnecting" | "polling";

export interface StreamOptions {
  /** Number of the event to start after; null starts with the next one, and resyncs. */
  after: number | null;
  /** Event names to subscribe to. */
  names: readonly string[];
  onEvent: (name: string, data: unknown) => void;
  onStatus?: (status: StreamStatus) => void;
  /** Called when events may have been missed, and periodically while the stream is down. */
  onResync: () => void;
  createSource?: (url: string) => EventSource;
}

const REOPEN_AFTER = 5_000;
const REOPEN_AFTER_AT_MOST = 60_000;
const FAILURES_BEFORE_POLLING = 3;
const POLL_EVERY = 10_000;
const CLOSE_WHEN_HIDDEN_FOR = 60_000;
const CLOSED = 2;

/** Backoff with jitter, so that tabs refused at the same time do not reconnect together. */
function reopenDelay(failures: number): number {
  const longest = Math.min(REOPEN_AFTER * 2 ** (failures - 1), REOPEN_AFTER_AT_MOST);
  return longest * (0.75 + Math.random() / 4);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Keeps a server-sent event stream open. The browser resumes a dropped stream itself, with
 * Last-Event-ID; a refused one (for example because too many are open) is reopened after a delay,
 * and until then `onResync` is called periodically. Background pages close their stream, because
 * browsers allow only six connections per host.
 */
export function openStream(url: string, options: StreamOptions): () => void {
  const { names, onEvent, onStatus, onResync } = options;
  const createSource = options.createSource ?? ((address) => new EventSource(address));
  let source: EventSource | null = null;
  let failures = 0;
  let { after } = options;
  let missed = after === null;
  let reopenTimer: ReturnType<typeof setTimeout> | undefined;
  let pollTimer: ReturnType<typeof setInterval> | undefined;
  let hideTimer: ReturnType<typeof setTimeout> | undefined;

  const stopPolling = () => {
    clearInterval(pollTimer);
    pollTimer = undefined;
  };

  const onFailure = () => {
    failures += 1;
    const isRefused = source?.readyState === CLOSED;
    if (isRefused || failures >= FAILURES_BEFORE_POLLING) {
      pollTimer ??= setInterval(onResync, POLL_EVERY);
    }
    onStatus?.(failures >= FAILURES_BEFORE_POLLING ? "polling" : "reconnecting");
    if (isRefused) {
      missed = true;
      clearTimeout(reopenTimer);
      reopenTimer = setTimeout(open, reopenDelay(failures));
    }
  };

  function open() {
    source?.close();
    source = createSource(after === null ? url : `${url}?after=${after}`);
    // The browser continues a dropped stream itself; one that is opened again resyncs.
    after = null;
    source.onopen = () => {
      failures = 0;
      stopPolling();
      onStatus?.("connected");
      if (missed) {
        missed = false;
        onResync();
      }
    };
    source.onerror = onFailure;
    for (const name of names) {
      source.addEventListener(name, (event) => onEvent(name, parse(String(event.data))));
    }
  }

  const shut = () => {
    clearTimeout(reopenTimer);
    stopPolling();
    source?.close();
    source = null;
  };

  const onVisibility = () => {
    clearTimeout(hideTimer);
    if (document.visibilityState === "hidden") {
      hideTimer = setTimeout(() => {
        missed = true;
        shut();
      }, CLOSE_WHEN_HIDDEN_FOR);
    } else if (source === null) {
      open();
    }
  };

  onStatus?.("connecting");
  open();
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    clearTimeout(hideTimer);
    shut();
  };
}
