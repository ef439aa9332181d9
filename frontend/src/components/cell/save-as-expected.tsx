import { BookmarkCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import type { OutputDetail } from "@/api/types";
import { useChange } from "@/api/use-change";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { WordDiff } from "./word-diff";

/** The case's current expected answer, and the new one. */
interface Changed {
  current: string;
  proposed: string;
}

function changedOf(error: Error): Changed | null {
  const { code, details } = asProblem(error);
  if (code !== "CASE_CHANGED") {
    return null;
  }
  const { case_expected, proposed } = details as { case_expected: string | null; proposed: string };
  return { current: case_expected ?? "", proposed };
}

export interface SaveAsExpectedProps {
  slug: string;
  output: OutputDetail;
}

/**
 * Saves this answer as the case's expected answer. Shows another user's change before overwriting
 * it.
 */
export function SaveAsExpected({ slug, output }: SaveAsExpectedProps) {
  const { t } = useTranslation();
  const [changed, setChanged] = useState<Changed | null>(null);
  const save = useChange(
    "post",
    "/projects/{project}/outputs/{output_id}/expected",
    { project: slug, output_id: output.id },
    { refresh: [keys.datasets(slug)] },
  );
  const send = (isForced: boolean) =>
    save.mutate(
      { body: { is_parsed: true, is_forced: isForced, about: output.number } },
      {
        onSuccess: () => {
          setChanged(null);
          toast.success(t("cell.promote.expectedSaved"));
        },
        onError: (error) => {
          const found = changedOf(error);
          setChanged(found);
          if (found === null) {
            toast.error(problemMessage(error));
          }
        },
      },
    );
  return (
    <>
      <Button variant="secondary" size="sm" loading={save.isPending} onClick={() => send(false)}>
        <BookmarkCheck aria-hidden />
        {t("cell.promote.expected")}
      </Button>
      {changed === null ? null : (
        <Dialog
          open
          width="lg"
          onOpenChanged={() => setChanged(null)}
          title={t("cell.promote.changedTitle")}
          description={t("cell.promote.changedHint")}
        >
          <WordDiff before={changed.current} after={changed.proposed} />
          <DialogFooter>
            <Button variant="ghost" onClick={() => setChanged(null)}>
              {t("ui.cancel")}
            </Button>
            <Button loading={save.isPending} onClick={() => send(true)}>
              {t("cell.promote.overwrite")}
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </>
  );
}
