import { useState } from "react";
import { GenerateDialog } from "@/features/datasets/generate-dialog";
import { ImportDialog } from "@/features/datasets/import-dialog";
import type { DatasetOverlay } from "@/features/datasets/overlay";
import type {
  DatasetTools,
  GenerateToolProps,
} from "@/features/experiment-wizard/data/dataset-tools";

/** Opens the dialog that generates cases inside another page. */
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

/** Dataset dialogs used by the experiment wizard. */
export const datasetTools: DatasetTools = { Import: ImportDialog, Generate: GenerateTool };
