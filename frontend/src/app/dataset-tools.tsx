import { useState } from "react";
import { GenerateDialog } from "@/features/datasets/generate-dialog";
import { ImportDialog } from "@/features/datasets/import-dialog";
import type { DatasetOverlay } from "@/features/datasets/overlay";
import type {
  DatasetTools,
  GenerateToolProps,
} from "@/features/experiment-wizard/data/dataset-tools";

/** Has cases written without leaving the page that wants them. */
function GenerateTool({ at, kind, hints, variables, prompt, onClosed }: GenerateToolProps) {
  const [overlay, setOverlay] = useState<DatasetOverlay>({ generate: kind });
  return (
    <GenerateDialog
      at={at}
      variables={[]}
      kind={overlay.generate ?? kind}
      gap={overlay.gap}
      generationId={overlay.generation}
      begin={{
        hints,
        variables: variables.join(", "),
        ...(typeof prompt === "string" ? { promptId: prompt } : { written: prompt }),
      }}
      onOverlayChanged={(next) => (next.generate === undefined ? onClosed() : setOverlay(next))}
    />
  );
}

/** The dialogs of datasets, as the wizard for experiments borrows them. */
export const datasetTools: DatasetTools = { Import: ImportDialog, Generate: GenerateTool };
