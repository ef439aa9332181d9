import {
  CircleCheck,
  CircleDashed,
  CirclePlay,
  CircleSlash,
  CircleStop,
  CircleX,
  Coins,
  Scale,
  type LucideIcon,
} from "lucide-react";
import type { AbAnswer, AbTestState, AbTestSummary } from "@/api/types";
import type { BadgeTone } from "@/components/ui/badge";
import { outOfTen } from "@/components/score-scale";

/** States to filter by, in the order of the lifecycle. */
export const AB_TEST_STATES = [
  "draft",
  "running",
  "decided",
  "complete",
  "futile",
  "out_of_money",
  "stopped",
  "failed",
] as const satisfies readonly AbTestState[];

export const ANSWER_STATES = [
  "pending",
  "scored",
  "unscored",
] as const satisfies readonly AbAnswer["state"][];

export interface AnswerFilters {
  arm?: AbAnswer["arm"] | undefined;
  state?: AbAnswer["state"] | undefined;
}

export const LIST_STATUSES = ["archived", "all"] as const;

export interface AbTestFilters {
  q?: string | undefined;
  state?: AbTestState | undefined;
  status?: (typeof LIST_STATUSES)[number] | undefined;
}

export const LOOKS: Record<AbTestState, { tone: BadgeTone; Icon: LucideIcon }> = {
  draft: { tone: "outline", Icon: CircleDashed },
  running: { tone: "info", Icon: CirclePlay },
  decided: { tone: "success", Icon: Scale },
  complete: { tone: "success", Icon: CircleCheck },
  futile: { tone: "neutral", Icon: CircleSlash },
  out_of_money: { tone: "warning", Icon: Coins },
  stopped: { tone: "neutral", Icon: CircleStop },
  failed: { tone: "danger", Icon: CircleX },
};

type Arm = AbTestSummary["first"];

/** An arm in words. */
export function nameArm({ prompt_name, version_label, model_name }: Arm): string {
  return `${prompt_name} ${version_label} · ${model_name}`;
}

/** The parameters that an arm sets, such as "temperature 0.2"; empty without any. */
export function parametersOf({ parameters }: Arm): string {
  return Object.entries(parameters ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`)
    .join(", ");
}

/** A mean score out of ten; a dash without one. */
export function meanOf(score: number | null): string {
  return score === null ? "—" : outOfTen(score);
}
