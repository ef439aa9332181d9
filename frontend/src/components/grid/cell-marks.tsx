import type { TFunction } from "i18next";
import { History, Replace, RotateCw, Scissors, UserRound } from "lucide-react";
import type { Cell } from "@/api/types";

/** Marks about how an answer was produced. */
export function CellMarks({ cell, t }: { cell: Cell; t: TFunction }) {
  const marks = [
    { shown: cell.finish_reason === "length", Icon: Scissors, text: t("runs.cell.cutOff") },
    { shown: cell.is_wanted_again, Icon: RotateCw, text: t("runs.cell.again") },
    { shown: cell.is_cached, Icon: History, text: t("runs.cell.cached") },
    { shown: cell.is_fallback, Icon: Replace, text: t("runs.cell.fallback") },
    { shown: cell.human_value !== null, Icon: UserRound, text: t("runs.cell.human") },
  ];
  return marks.map(({ shown, Icon, text }) =>
    shown ? (
      <span key={text} className="flex items-center gap-1 text-xs text-ink-muted">
        <Icon aria-hidden className="size-3" />
        {text}
      </span>
    ) : null,
  );
}
