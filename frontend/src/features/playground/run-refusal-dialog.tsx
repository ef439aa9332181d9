import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { FieldProblem } from "@/api/problem";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { placeOf, type Place } from "./run-request";
import type { RunRefusal } from "./use-run-flow";

const FOCUS_BACK = 50;

export interface RunRefusalDialogProps {
  slug: string;
  refusal: RunRefusal;
  onPlaceWanted: (place: Place) => void;
  onRunWanted: (runId: string) => void;
  onClosed: () => void;
}

interface ProblemListProps {
  problems: readonly FieldProblem[];
  onPlaceWanted: (place: Place) => void;
}

/** Removes duplicates: each problem is shown once per column. */
function withoutRepeats(problems: readonly FieldProblem[]): FieldProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ field, message }) => {
    const mark = `${field}\n${message}`;
    const isNew = !seen.has(mark);
    seen.add(mark);
    return isNew;
  });
}

function ProblemList({ problems, onPlaceWanted }: ProblemListProps) {
  const { t } = useTranslation();
  return (
    <ul className="grid grid-cols-1 gap-2">
      {withoutRepeats(problems).map(({ field, message }) => {
        const place = placeOf(field);
        return (
          <li
            key={`${field}-${message}`}
            className="flex items-start gap-2.5 rounded-lg bg-danger-bg px-3.5 py-3 text-sm text-danger"
          >
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <div className="min-w-0 flex-1">
              {place?.kind === "column" ? (
                <p className="text-xs font-medium">
                  {t("playground.trouble.column", { number: place.index + 1 })}
                </p>
              ) : null}
              <p className="wrap-anywhere">{message}</p>
            </div>
            {place === null ? null : (
              <Button
                variant="secondary"
                size="sm"
                className="h-7"
                onClick={() => onPlaceWanted(place)}
              >
                {t(`playground.trouble.show.${place.kind}`)}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** All problems that prevent a run, each with a link to its field. */
export function RunRefusalDialog(props: RunRefusalDialogProps) {
  const { slug, refusal, onClosed } = props;
  const { t } = useTranslation();
  const leave = (place: Place) => {
    onClosed();
    // Runs after the dialog has restored the focus.
    setTimeout(() => props.onPlaceWanted(place), FOCUS_BACK);
  };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      title={t(`playground.trouble.title.${refusal.kind}`, {
        count: refusal.kind === "problems" ? refusal.problems.length : 1,
      })}
      description={
        refusal.kind === "problems" || refusal.kind === "busy"
          ? t(`playground.trouble.body.${refusal.kind}`)
          : problemMessage(refusal.problem)
      }
    >
      {refusal.kind === "problems" ? (
        <ProblemList problems={refusal.problems} onPlaceWanted={leave} />
      ) : null}
      {refusal.kind === "budget" ? (
        <p className="text-sm text-ink-muted">{t("playground.trouble.budgetHint")}</p>
      ) : null}
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("ui.close")}
        </Button>
        {refusal.kind === "busy" ? (
          <Button onClick={() => props.onRunWanted(refusal.runId)}>
            {t("playground.trouble.showRun")}
          </Button>
        ) : null}
        {refusal.kind === "budget" ? (
          <Button asChild>
            <Link to="/p/$slug/budgets" params={{ slug }}>
              {t("playground.trouble.budgets")}
            </Link>
          </Button>
        ) : null}
      </DialogFooter>
    </Dialog>
  );
}
