import type { Project, Prompt } from "@/api/types";
import type { Part } from "@/components/prompt-editor/content";

/** Search parameters of the prompt page. */
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
