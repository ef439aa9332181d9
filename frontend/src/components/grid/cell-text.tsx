import type { TFunction } from "i18next";
import { CircleX, Hourglass, TriangleAlert } from "lucide-react";
import type { Cell } from "@/api/types";
import { cn } from "@/lib/cn";
import { failureLabel, malformationLabel } from "@/lib/failures";
import { formatTime } from "@/lib/format";
import type { Missing, Wait } from "./columns";

/** Static instead of the usual skeleton: a screen of cells would run hundreds of animations. */
const BAR = "h-3 rounded-md bg-surface-hover";
/** Maximum length of the answer shown in a cell, in characters. */
const LONGEST = 200;

/** The sentence about a failed call, and the provider's own words. */
function Failure({ cell, t }: { cell: Cell; t: TFunction }) {
  return (
    <>
      <p className="flex items-center gap-1.5 text-xs font-medium text-danger">
        <CircleX aria-hidden className="size-3.5 shrink-0" />
        {cell.error === null ? t("runs.cell.error") : failureLabel(cell.error)}
      </p>
      {cell.preview === null ? null : (
        <p
          className={cn(
            "shrink-0 wrap-anywhere",
            cell.provider_text === null ? "line-clamp-4" : "line-clamp-2",
          )}
        >
          {cell.preview}
        </p>
      )}
      {cell.provider_text === null ? null : (
        <q
          className="line-clamp-2 shrink-0 text-xs wrap-anywhere text-ink-muted"
          title={cell.provider_text}
        >
          {cell.provider_text}
        </q>
      )}
    </>
  );
}

/** The answer, or the reason why there is none. */
export function CellText({ cell, t }: { cell: Cell; t: TFunction }) {
  if (cell.status === "error") {
    return <Failure cell={cell} t={t} />;
  }
  return (
    <>
      {cell.status === "malformed" ? (
        <p className="flex items-center gap-1.5 text-xs font-medium text-warning">
          <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
          {malformationLabel(cell.error)}
        </p>
      ) : null}
      <p className={cn("wrap-anywhere", cell.status === "ok" ? "line-clamp-4" : "line-clamp-3")}>
        {cell.preview === null || cell.preview === "" ? (
          <span className="text-ink-subtle">{t("runs.cell.empty")}</span>
        ) : (
          shortened(cell.preview)
        )}
      </p>
    </>
  );
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).trimEnd()}…`;
}

/** Live text of an unfinished answer; shows its end, because that is the new part. */
export function CellDraft({ text, t }: { text: string; t: TFunction }) {
  const end = text.length <= LONGEST ? text : `…${text.slice(-LONGEST)}`;
  return (
    <p className="wrap-anywhere text-ink-muted">
      <span className="sr-only">{t("cell.streaming")}</span>
      {end}
      <span
        aria-hidden
        className="ml-0.5 inline-block h-3.5 w-0.5 animate-pulse bg-accent-ink align-text-bottom"
      />
    </p>
  );
}

function WaitingText({ wait, t }: { wait: Wait; t: TFunction }) {
  return (
    <div className="grid gap-1 text-xs text-warning">
      <p className="flex items-start gap-1.5">
        <Hourglass aria-hidden className="mt-px size-3.5 shrink-0" />
        <span className="line-clamp-4 wrap-anywhere">{wait.sentence}</span>
      </p>
      {wait.until === null ? null : (
        <p className="pl-5 text-ink-muted tabular-nums">
          {t("runs.cell.until", { time: formatTime(wait.until) })}
        </p>
      )}
    </div>
  );
}

export interface MissingCellProps {
  missing: Missing;
  wait: Wait | undefined;
  t: TFunction;
}

/** Why there is no answer yet. */
export function MissingCell({ missing, wait, t }: MissingCellProps) {
  if (missing === "coming" && wait !== undefined) {
    return <WaitingText wait={wait} t={t} />;
  }
  if (missing === "coming") {
    return (
      <div className="grid animate-pulse gap-2 pt-1">
        <span className="sr-only">{t("runs.cell.coming")}</span>
        <span className={cn(BAR, "w-full")} />
        <span className={cn(BAR, "w-5/6")} />
        <span className={cn(BAR, "w-1/2")} />
      </div>
    );
  }
  if (missing === "idle") {
    return (
      <p className="text-ink-decor">
        <span aria-hidden>—</span>
        <span className="sr-only">{t("cell.idle")}</span>
      </p>
    );
  }
  return <p className="text-ink-subtle">{t(`runs.cell.${missing}`)}</p>;
}
