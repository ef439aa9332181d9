import { query } from "@/api/queries";
import type { components } from "@/api/schema.gen";

export type Home = components["schemas"]["HomeRead"];
export type Waiting = Home["waiting"][number];
export type WaitingItem = Waiting["items"][number];
export type ProductionPrompt = Home["production"][number];
export type HomeSteps = Home["steps"];

export const homeQuery = (slug: string) => query("/projects/{project}/home", { project: slug });
