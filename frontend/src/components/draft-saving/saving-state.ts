import type { Problem } from "@/api/problem";

/**
 * State of unsaved changes. idle: no save in progress; saving: a save is in progress; offline: the
 * server is unreachable and the save will be retried; conflict: another user saved first; failed:
 * the server refused the content.
 */
export type Phase = "idle" | "saving" | "offline" | "conflict" | "failed";

export interface SavingState<Content, Read> {
  phase: Phase;
  mine: Content;
  saved: Content;
  /** State last read from or saved to the server; `saved` is its content. */
  read: Read;
  version: number;
  sent: Content | null;
  theirs: Read | null;
  problem: Problem | null;
}

/** Type-specific rules of a saver. */
export interface DraftRules<Content, Read> {
  contentOf: (read: Read) => Content;
  versionOf: (read: Read) => number;
  isSame: (one: Content, other: Content) => boolean;
  /**
   * Whether part of the content cannot be saved yet and would be lost if other content replaced it.
   */
  isHeldBack: (content: Content) => boolean;
}

export type SavingAction<Content, Read> =
  | { type: "edited"; content: Content }
  | { type: "sending" }
  | { type: "saved"; read: Read }
  | { type: "refused"; problem: Problem }
  | { type: "read"; read: Read }
  | { type: "replaced"; read: Read }
  | { type: "resolved"; content: Content };

export function startSaving<C, R>(rules: DraftRules<C, R>, read: R): SavingState<C, R> {
  const content = rules.contentOf(read);
  return {
    phase: "idle",
    mine: content,
    saved: content,
    read,
    version: rules.versionOf(read),
    sent: null,
    theirs: null,
    problem: null,
  };
}

export function isUnsaved<C, R>(rules: DraftRules<C, R>, state: SavingState<C, R>): boolean {
  return !rules.isSame(state.mine, state.saved);
}

function afterRefusal<C, R>(state: SavingState<C, R>, problem: Problem): SavingState<C, R> {
  const refused = { ...state, sent: null, problem };
  if (problem.code === "STALE") {
    const { current } = problem.details as { current: R };
    return { ...refused, phase: "conflict", theirs: current };
  }
  return { ...refused, phase: problem.isTransient ? "offline" : "failed" };
}

/** Takes over a newly read draft unless it would discard unsaved changes. */
function afterReading<C, R>(
  rules: DraftRules<C, R>,
  state: SavingState<C, R>,
  read: R,
): SavingState<C, R> {
  const isNews = rules.versionOf(read) > state.version;
  const isFree =
    state.phase === "idle" && !isUnsaved(rules, state) && !rules.isHeldBack(state.mine);
  return isNews && isFree ? startSaving(rules, read) : state;
}

export function reduceSaving<C, R>(
  rules: DraftRules<C, R>,
  state: SavingState<C, R>,
  action: SavingAction<C, R>,
): SavingState<C, R> {
  switch (action.type) {
    case "edited":
      return {
        ...state,
        mine: action.content,
        phase: state.phase === "failed" ? "idle" : state.phase,
      };
    case "sending":
      return { ...state, phase: "saving", sent: state.mine, problem: null };
    case "saved":
      return {
        ...state,
        phase: "idle",
        saved: state.sent ?? state.mine,
        read: action.read,
        version: rules.versionOf(action.read),
        sent: null,
      };
    case "refused":
      return afterRefusal(state, action.problem);
    case "read":
      return afterReading(rules, state, action.read);
    case "replaced":
      return startSaving(rules, action.read);
    case "resolved":
      // The choice is based on the other user's draft, so saving it overwrites that draft
      // deliberately.
      return state.theirs === null
        ? state
        : { ...startSaving(rules, state.theirs), mine: action.content };
  }
}
