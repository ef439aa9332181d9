import type { Project, Prompt } from "@/api/types";
import type { Part } from "@/components/prompt-editor/content";

/** What of a prompt's page is shown; all of it is in the address. */
export interface PromptView {
  part?: Exclude<Part, "text"> | undefined;
  model?: string | undefined;
  preview?: true | undefined;
  history?: true | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface PromptPageProps {
  project: Project;
  promptId: string;
  view: PromptView;
  onViewChanged: (view: PromptView) => void;
  onPromptOpened: (prompt: { id: string }) => void;
  onLeft: () => void;
}

export interface WorkbenchProps extends PromptPageProps {
  prompt: Prompt;
}
