import { createContext, type ComponentType } from "react";
import type { DatasetAddress } from "@/api/case-imports";
import type { Syntax } from "@/lib/template";

export interface ImportToolProps {
  at: DatasetAddress;
  /** Variables that every case needs. */
  requiredVariables: readonly string[];
  onClosed: () => void;
}

/** Text of a prompt to generate cases for. */
export interface PromptText {
  syntax: Syntax;
  system: string | null;
  text: string;
}

export interface GenerateToolProps {
  at: DatasetAddress;
  kind: "synthetic" | "adversarial";
  /** Initial text of the form. */
  hints: string;
  variables: readonly string[];
  /** Id of a library prompt, or the text from the wizard. */
  prompt: string | PromptText;
  onClosed: () => void;
}

/**
 * Dialogs that add cases to a dataset. The datasets feature owns them; the route passes them in.
 */
export interface DatasetTools {
  Import: ComponentType<ImportToolProps>;
  Generate: ComponentType<GenerateToolProps>;
}

export const DatasetToolsContext = createContext<DatasetTools | null>(null);
