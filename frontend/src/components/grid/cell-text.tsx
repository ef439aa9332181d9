import type { TFunction } from "i18next";
import { CircleX, TriangleAlert } from "lucide-react";
import type { Cell } from "@/api/types";
import { cn } from "@/lib/cn";
import { failureLabel } from "@/lib/failures";
import type { Missing } from "./columns";

/** Static instead of the usual skeleton: a screen of cells would run hundreds of animations. */
const BAR = "h-3 rounded-md bg-surface-hover";
/** Maximum length of the answer shown in a cell, in characters. */
const LONGEST = 200;

/** The answer, or the reason why there is none. */
export function CellText({ cell, t }: { cell: Cell; t: TFunction }) {
  if (cell.status === "error") {
    return (
      <p className="flex items-start gap-1.5 text-danger">
        <CircleX aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        <span className="line-clamp-3">
          {cell.error === null ? t("runs.cell.error") : failureLabel(cell.error)}
        </span>
      </p>
    );
  }
  return (
    <>
      {cell.status === "malformed" ? (
        <p className="flex items-center gap-1.5 text-xs font-medium text-warning">
          <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
          {t("runs.cell.malformed")}
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

export function MissingCell({ missing, t }: { missing: Missing; t: TFunction }) {
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
