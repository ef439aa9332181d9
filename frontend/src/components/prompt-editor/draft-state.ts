import type { DraftRead, ToolBody } from "@/api/types";
import type { Problem } from "@/api/problem";
import { contentOf, isSame, type Content } from "./content";
import { readTools } from "./tools";

/**
 * What is being written against what is saved.
 *
 * idle: nothing is on its way; saving: a save is; offline: the server is out of reach and will be
 * asked again; conflict: somebody else saved first; failed: the server refused the text.
 */
export type Phase = "idle" | "saving" | "offline" | "conflict" | "failed";

export interface DraftState {
  phase: Phase;
  mine: Content;
  saved: Content;
  savedTools: readonly ToolBody[];
  /** The draft's version that `saved` is. */
  version: number;
  sent: Content | null;
  theirs: DraftRead | null;
  problem: Problem | null;
}

export type DraftAction =
  | { type: "edited"; content: Content }
  | { type: "sending" }
  | { type: "saved"; draft: DraftRead }
  | { type: "refused"; problem: Problem }
  | { type: "read"; draft: DraftRead }
  | { type: "replaced"; draft: DraftRead }
  | { type: "resolved"; content: Content };

export function startDraft(draft: DraftRead): DraftState {
  const content = contentOf(draft);
  return {
    phase: "idle",
    mine: content,
    saved: content,
    savedTools: draft.tools,
    version: draft.version,
    sent: null,
    theirs: null,
    problem: null,
  };
}

export function isDirty(state: DraftState): boolean {
  return !isSame(state.mine, state.saved);
}

function afterRefusal(state: DraftState, problem: Problem): DraftState {
  const refused = { ...state, sent: null, problem };
  if (problem.code === "STALE") {
    const { current } = problem.details as { current: DraftRead };
    return { ...refused, phase: "conflict", theirs: current };
  }
  return { ...refused, phase: problem.isTransient ? "offline" : "failed" };
}

/** Tools that are no JSON yet are only here: the rest is saved without them. */
export function hasUnreadableTools(state: DraftState): boolean {
  return readTools(state.mine.toolsText) === null;
}

/** A draft that was read: taken over unless something of one's own would be lost. */
function afterReading(state: DraftState, draft: DraftRead): DraftState {
  const isNews = draft.version > state.version;
  const isFree = state.phase === "idle" && !isDirty(state) && !hasUnreadableTools(state);
  return isNews && isFree ? startDraft(draft) : state;
}

/** The choice is based on their draft: saving it replaces theirs knowingly. */
function afterChoice(state: DraftState, content: Content): DraftState {
  return state.theirs === null ? state : { ...startDraft(state.theirs), mine: content };
}

export function reduceDraft(state: DraftState, action: DraftAction): DraftState {
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
        savedTools: action.draft.tools,
        version: action.draft.version,
        sent: null,
      };
    case "refused":
      return afterRefusal(state, action.problem);
    case "read":
      return afterReading(state, action.draft);
    case "replaced":
      return startDraft(action.draft);
    case "resolved":
      return afterChoice(state, action.content);
  }
}
