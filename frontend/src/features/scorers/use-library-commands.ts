import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import type { Resource } from "@/components/listing/resource";
import { useResourceCommands } from "@/components/listing/use-resource-commands";

export interface LibraryEvents {
  onDuplicated: (copy: Resource) => void;
  onDeleted?: () => void;
}

/** Without rename: scorers and rubrics are renamed in their form. */
const COMMANDS = ["duplicate", "archive", "delete"] as const;

export function useScorerCommands(slug: string, events: LibraryEvents) {
  const { t } = useTranslation();
  return useResourceCommands(slug, "/projects/{project}/scorers/{scorer_id}", {
    commands: COMMANDS,
    also: [keys.rubrics(slug)],
    consequence: () => t("scorers.delete.body"),
    ...events,
  });
}

export function useRubricCommands(slug: string, events: LibraryEvents) {
  const { t } = useTranslation();
  return useResourceCommands(slug, "/projects/{project}/rubrics/{rubric_id}", {
    commands: COMMANDS,
    also: [keys.scorers(slug)],
    consequence: () => t("scorers.rubrics.deleteBody"),
    ...events,
  });
}
