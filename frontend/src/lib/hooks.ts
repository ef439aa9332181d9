import { useEffect, useState, useSyncExternalStore } from "react";

export function useDebounced<T>(value: T, delay = 300): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}

/** A request for the server, once typing pauses; null while it is incomplete. */
export function useSettledRequest<T extends object>(request: T | null, delay = 400): T | null {
  const settled = useDebounced(request === null ? "" : JSON.stringify(request), delay);
  return settled === "" ? null : (JSON.parse(settled) as T);
}

export function useDocumentTitle(...parts: (string | null | undefined)[]): void {
  const title = [...parts.filter(Boolean), "Edison"].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Seconds left until a time, updated every second; 0 when it has passed. */
export function useCountdown(until: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (until === null) {
      return undefined;
    }
    const tick = () => {
      setNow(Date.now());
      if (Date.now() >= until) {
        clearInterval(timer);
      }
    };
    const timer = setInterval(tick, 1000);
    const first = setTimeout(tick, 0);
    return () => {
      clearInterval(timer);
      clearTimeout(first);
    };
  }, [until]);
  return until === null ? 0 : Math.max(0, Math.ceil((until - now) / 1000));
}

// One clock for all relative times on the page.
let minute = Date.now();
const clockListeners = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

function subscribeClock(listener: () => void): () => void {
  clockListeners.add(listener);
  if (clock === undefined) {
    // The first subscriber after a pause must not get a stale time.
    minute = Date.now();
    clock = setInterval(() => {
      minute = Date.now();
      clockListeners.forEach((tick) => tick());
    }, 30_000);
  }
  return () => {
    clockListeners.delete(listener);
    if (clockListeners.size === 0) {
      clearInterval(clock);
      clock = undefined;
    }
  };
}

export function useNow(): number {
  return useSyncExternalStore(subscribeClock, () => minute);
}

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => window.matchMedia(query).matches,
  );
}
