import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Prompt, PromptSummary } from "@/api/types";
import { toast } from "@/components/ui/toast";
import { useArchivePrompt, useDuplicatePrompt } from "./queries";

/** The commands that need no question first. */
export function usePromptCommands(slug: string, onDuplicated: (copy: Prompt) => void) {
  const { t } = useTranslation();
  const duplicate = useDuplicatePrompt(slug);
  const archive = useArchivePrompt(slug);
  const onError = (error: unknown) => void toast.error(problemMessage(error));
  return {
    duplicate: (prompt: PromptSummary) =>
      duplicate.mutate(prompt.id, {
        onError,
        onSuccess: (copy) => {
          toast.success(t("prompts.duplicate.done", { name: copy.name }));
          onDuplicated(copy);
        },
      }),
    archive: (prompt: PromptSummary) => {
      const isArchived = prompt.archived_at !== null;
      archive.mutate(
        { id: prompt.id, archive: !isArchived },
        {
          onError,
          onSuccess: () =>
            toast.success(
              t(isArchived ? "prompts.archive.undone" : "prompts.archive.done", {
                name: prompt.name,
              }),
            ),
        },
      );
    },
  };
}
