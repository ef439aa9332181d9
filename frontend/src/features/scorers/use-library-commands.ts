import { useTranslation } from "react-i18next";
import type { Resource } from "@/components/listing/resource";
import { useResourceCommands } from "@/components/listing/use-resource-commands";
import { useArchiveScorer, useDeleteScorer, useDuplicateScorer } from "./queries";
import { useArchiveRubric, useDeleteRubric, useDuplicateRubric } from "./rubric-queries";

export interface LibraryWays {
  onDuplicated: (copy: Resource) => void;
  onDeleted?: () => void;
}

/** Commands without rename: scorers and rubrics are renamed in their form. */
export function useScorerCommands(slug: string, ways: LibraryWays) {
  const { t } = useTranslation();
  return useResourceCommands({
    duplicate: useDuplicateScorer(slug),
    archive: useArchiveScorer(slug),
    remove: useDeleteScorer(slug),
    consequence: () => t("scorers.delete.body"),
    ...ways,
  });
}

export function useRubricCommands(slug: string, ways: LibraryWays) {
  const { t } = useTranslation();
  return useResourceCommands({
    duplicate: useDuplicateRubric(slug),
    archive: useArchiveRubric(slug),
    remove: useDeleteRubric(slug),
    consequence: () => t("scorers.rubrics.deleteBody"),
    ...ways,
  });
}
