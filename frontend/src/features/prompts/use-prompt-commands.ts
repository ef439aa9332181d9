import { useTranslation } from "react-i18next";
import { useRenamePrompt } from "@/api/prompts";
import type { PromptSummary } from "@/api/types";
import type { Resource } from "@/components/listing/resource";
import { useResourceCommands } from "@/components/listing/use-resource-commands";
import { useArchivePrompt, useDeletePrompt, useDuplicatePrompt } from "./queries";

export interface PromptWays {
  onDuplicated: (copy: Resource) => void;
  onDeleted?: () => void;
}

export function usePromptCommands(slug: string, ways: PromptWays) {
  const { t } = useTranslation();
  return useResourceCommands<PromptSummary>({
    rename: useRenamePrompt(slug),
    renameHint: ({ latest }) => (latest === null ? undefined : t("prompts.rename.hint")),
    duplicate: useDuplicatePrompt(slug),
    archive: useArchivePrompt(slug),
    remove: useDeletePrompt(slug),
    consequence: () => t("prompts.delete.body"),
    ...ways,
  });
}
