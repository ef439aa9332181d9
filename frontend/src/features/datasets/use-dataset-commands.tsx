import { Pencil } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DatasetSummary } from "@/api/types";
import { useResourceCommands } from "@/components/listing/use-resource-commands";
import type { Command } from "@/components/ui/command-menu";
import { DatasetDialog } from "./dataset-dialog";
import { DATASET } from "./queries";

/** Commands of a dataset; renaming is part of its details dialog. */
export function useDatasetCommands(slug: string, onDeleted?: () => void) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<DatasetSummary | null>(null);
  const { commandsOf, dialog } = useResourceCommands<DatasetSummary>(slug, DATASET, {
    commands: ["archive", "delete"],
    consequence: ({ case_count }) => t("datasets.delete.body", { count: case_count }),
    isTyped: () => true,
    onDeleted,
  });
  return {
    commandsOf: (dataset: DatasetSummary): Command[] => [
      { icon: Pencil, label: t("datasets.edit"), onChosen: () => setEdited(dataset) },
      ...commandsOf(dataset),
    ],
    dialog:
      edited === null ? (
        dialog
      ) : (
        <DatasetDialog
          slug={slug}
          dataset={edited}
          onSaved={() => setEdited(null)}
          onClosed={() => setEdited(null)}
        />
      ),
  };
}
