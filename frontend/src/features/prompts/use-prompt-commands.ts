import { useTranslation } from "react-i18next";
import type { PromptSummary } from "@/api/types";
import type { Resource } from "@/components/listing/resource";
import { useResourceCommands } from "@/components/listing/use-resource-commands";

export interface PromptEvents {
  onDuplicated: (copy: Resource) => void;
  onDeleted?: () => void;
}

export function usePromptCommands(slug: string, events: PromptEvents) {
  const { t } = useTranslation();
  return useResourceCommands<PromptSummary>(slug, "/projects/{project}/prompts/{prompt_id}", {
    renameHint: ({ latest }) => (latest === null ? undefined : t("prompts.rename.hint")),
    consequence: () => t("prompts.delete.body"),
    ...events,
  });
}
