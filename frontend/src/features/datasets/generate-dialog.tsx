import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { DatasetVariable } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import type { DatasetAddress } from "@/api/case-imports";
import { LoadError } from "@/components/load-error";
import { GenerateFormPanel } from "./generate-form";
import type { GenerateForm } from "./generate-form-state";
import { generationsQuery, isInProgress } from "./generate-queries";
import { GenerateResult } from "./generate-result";
import type { DatasetOverlay, GenerateKind } from "./overlay";

export interface GenerateDialogProps {
  at: DatasetAddress;
  variables: readonly DatasetVariable[];
  kind: GenerateKind;
  gap: string | undefined;
  generationId: string | undefined;
  begin?: Partial<GenerateForm>;
  onOverlayChanged: (overlay: DatasetOverlay) => void;
}

interface WaitingProps {
  at: DatasetAddress;
  onGenerationOpened: (generationId: string) => void;
}

/** Generations in progress, paused, or with undecided drafts. */
function Waiting({ at, onGenerationOpened }: WaitingProps) {
  const { t } = useTranslation();
  const generations = useQuery(generationsQuery(at));
  const waiting = (generations.data ?? []).filter(
    ({ state, is_resumable, draft_count: drafts, accepted_count: accepted }) =>
      isInProgress(state) || is_resumable || (drafts > 0 && accepted === 0),
  );
  if (waiting.length === 0) {
    return <LoadError queries={[generations]} />;
  }
  return (
    <ul aria-label={t("datasets.generate.waiting")} className="grid gap-2">
      {waiting.slice(0, 3).map((generation) => (
        <li
          key={generation.id}
          className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-info-bg px-3.5 py-2 text-sm text-info"
        >
          <span>
            {isInProgress(generation.state)
              ? t("datasets.generate.isRunning", { model: generation.model_name })
              : generation.draft_count === 0
                ? t("datasets.generate.hasFailed", { model: generation.model_name })
                : t("datasets.generate.draftsWait", { count: generation.draft_count })}{" "}
            <RelativeTime iso={generation.created_at} />
          </span>
          <Button variant="secondary" size="sm" onClick={() => onGenerationOpened(generation.id)}>
            {t("datasets.generate.look")}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Generates cases with a model: form, estimate, progress, selection. */
export function GenerateDialog(props: GenerateDialogProps) {
  const { at, variables, kind, gap, generationId, begin = {}, onOverlayChanged } = props;
  const { t } = useTranslation();
  const onClosed = () => onOverlayChanged({});
  const open = (id: string) => onOverlayChanged({ generate: kind, generation: id });
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("datasets.generate.title")}
      description={t("datasets.generate.description")}
    >
      {generationId === undefined ? (
        <>
          <Waiting at={at} onGenerationOpened={open} />
          <GenerateFormPanel
            at={at}
            kind={kind}
            gap={gap}
            variables={variables}
            begin={begin}
            onKindChanged={(next) => onOverlayChanged({ generate: next, gap })}
            onStarted={open}
            onClosed={onClosed}
          />
        </>
      ) : (
        <GenerateResult
          at={at}
          generationId={generationId}
          onAgainWanted={() => onOverlayChanged({ generate: kind })}
          onClosed={onClosed}
        />
      )}
    </Dialog>
  );
}
