import type { DraftRead } from "@/api/types";
import type { Saver, SaverOptions } from "@/components/draft-saving/saver";
import {
  isUnsaved,
  type DraftRules,
  type SavingState,
} from "@/components/draft-saving/saving-state";
import { contentOf, isSame, type Content } from "./content";
import { readTools } from "./tools";

export type DraftState = SavingState<Content, DraftRead>;
export type DraftSaver = Saver<Content, DraftRead>;

const RULES: DraftRules<Content, DraftRead> = {
  contentOf,
  versionOf: ({ version }) => version,
  isSame,
  isHeldBack: (content) => readTools(content.toolsText) === null,
};

/** Saves a prompt whenever typing pauses. */
export function savingBy(
  send: SaverOptions<Content, DraftRead>["send"],
): SaverOptions<Content, DraftRead> {
  return { rules: RULES, delays: { delay: 1500, after: "last" }, send };
}

export function isDirty(state: DraftState): boolean {
  return isUnsaved(RULES, state);
}

/** Tools that are not valid JSON exist only locally: the rest is saved without them. */
export function hasUnreadableTools(state: DraftState): boolean {
  return RULES.isHeldBack(state.mine);
}
