import { createContext, type ComponentType } from "react";
import type { DatasetAddress } from "@/api/case-imports";
import type { Syntax } from "@/lib/template";

export interface ImportToolProps {
  at: DatasetAddress;
  /** What every case needs a value for. */
  requiredVariables: readonly string[];
  onClosed: () => void;
}

/** A prompt that cases are to be generated for. */
export interface PromptText {
  syntax: Syntax;
  system: string | null;
  text: string;
}

export interface GenerateToolProps {
  at: DatasetAddress;
  kind: "synthetic" | "adversarial";
  /** What the form begins with. */
  hints: string;
  variables: readonly string[];
  /** Of the library, or as it stands in the wizard. */
  prompt: string | PromptText;
  onClosed: () => void;
}

/** How cases get into a dataset. Datasets have these dialogs; whoever shows the wizard lends them. */
export interface DatasetTools {
  Import: ComponentType<ImportToolProps>;
  Generate: ComponentType<GenerateToolProps>;
}

export const DatasetToolsContext = createContext<DatasetTools | null>(null);
