import { useEffect, useRef, useState } from "react";

const UNDO_MILLISECONDS = 5000;

export interface Undoable {
  isWaiting: boolean;
  /** The second time while waiting, acts at once. */
  start: () => void;
  undo: () => void;
}

/** Acts after five seconds unless it is undone; at once when the page is left. */
export function useUndoable(act: () => void): Undoable {
  const [isWaiting, setWaiting] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  const stop = () => {
    const wasWaiting = timer.current !== null;
    clearTimeout(timer.current ?? undefined);
    timer.current = null;
    return wasWaiting;
  };
  useEffect(
    () => () => {
      if (stop()) {
        latest.current();
      }
    },
    [],
  );
  const finish = () => {
    stop();
    setWaiting(false);
    latest.current();
  };
  return {
    isWaiting,
    start: () => {
      if (timer.current !== null) {
        finish();
      } else {
        timer.current = setTimeout(finish, UNDO_MILLISECONDS);
        setWaiting(true);
      }
    },
    undo: () => {
      stop();
      setWaiting(false);
    },
  };
}
