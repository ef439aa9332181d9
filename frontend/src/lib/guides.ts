import { createContext } from "react";

/** Pages of the documentation that the interface links to. */
export const GUIDES = [
  "ab-tests",
  "arena",
  "budgets",
  "changelog",
  "datasets",
  "experiments",
  "getting-started",
  "human-scores",
  "imports",
  "index",
  "models",
  "monitors",
  "operation",
  "optimizers",
  "playground",
  "prompts",
  "runs",
  "scorers",
  "statistics",
  "tutorial",
] as const;

export type Guide = (typeof GUIDES)[number];

export const guideAddress = (guide: Guide) => `/docs/${guide}.html`;

/** Guide to the current page, if it has one. */
export const GuideContext = createContext<Guide | null>(null);
