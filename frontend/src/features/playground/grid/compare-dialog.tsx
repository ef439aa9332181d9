import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { outputQuery } from "@/api/outputs";
import type { Cell, OutputDetail } from "@/api/types";
import { WordDiff } from "@/components/cell/word-diff";
import type { ResultColumn } from "@/components/grid/columns";
import { cellKey, type KnownRow } from "@/components/grid/rows";
import { ProblemState } from "@/components/problem-state";
import { Dialog } from "@/components/ui/dialog";
import { Select } from "@/components/ui/select";
import { FormSkeleton } from "@/components/ui/skeleton";

const EXPECTED = "expected";

export interface Side {
  /** "expected", or an output id. */
  value: string;
  label: string;
}

/** Comparable texts of a row: its answers and the expected answer. */
export function sidesOf(
  row: KnownRow,
  columns: readonly ResultColumn[],
  expectedLabel: string,
): Side[] {
  const answers = columns.flatMap((column, index) => {
    const cell =
      column.variant === null ? undefined : row.cells[cellKey(column.variant, column.repeat)];
    return cell === undefined || cell.status === "error"
      ? []
      : [{ value: cell.id, label: `${index + 1}. ${column.label}` }];
  });
  const hasExpected = row.info !== null && row.info.expected !== null;
  return hasExpected ? [{ value: EXPECTED, label: expectedLabel }, ...answers] : answers;
}

export interface CompareDialogProps {
  slug: string;
  cell: Cell;
  row: KnownRow;
  columns: readonly ResultColumn[];
  onClosed: () => void;
}

/** Extracted answer, else the raw text; undefined until loaded. */
function textOf(output: OutputDetail | undefined): string | undefined {
  return output === undefined ? undefined : (output.parsed ?? output.text ?? "");
}

function useText(slug: string, value: string | undefined, expected: string | null | undefined) {
  const isOutput = value !== undefined && value !== EXPECTED;
  const output = useQuery({ ...outputQuery(slug, value ?? ""), enabled: isOutput });
  return {
    text: isOutput ? textOf(output.data) : (expected ?? undefined),
    error: output.error,
  };
}

interface SideFieldProps {
  label: string;
  sides: readonly Side[];
  value: string;
  onValueChanged: (value: string) => void;
}

function SideField({ label, sides, value, onValueChanged }: SideFieldProps) {
  return (
    <Select
      className="min-w-0 flex-1"
      aria-label={label}
      value={value}
      options={sides}
      onValueChanged={onValueChanged}
    />
  );
}

/** Word diff of two answers to a case, or of an answer and the expected one. */
export function CompareDialog({ slug, cell, row, columns, onClosed }: CompareDialogProps) {
  const { t } = useTranslation();
  const sides = sidesOf(row, columns, t("runs.dialog.expected"));
  const [after, setAfter] = useState(cell.id);
  const [before, setBefore] = useState(() => sides.find(({ value }) => value !== cell.id)?.value);
  const expected = row.info?.expected;
  const first = useText(slug, before, expected);
  const second = useText(slug, after, expected);
  const error = first.error ?? second.error;
  return (
    <Dialog
      open
      width="lg"
      onOpenChanged={onClosed}
      title={t("cell.diff.title", { number: cell.case_position + 1 })}
      description={t("cell.diff.hint")}
    >
      {before === undefined ? (
        <p className="text-sm text-ink-muted">{t("cell.diff.alone")}</p>
      ) : (
        <>
          <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
            <SideField
              label={t("cell.diff.before")}
              sides={sides}
              value={before}
              onValueChanged={setBefore}
            />
            <ArrowRight aria-hidden className="hidden size-4 shrink-0 text-ink-subtle sm:block" />
            <SideField
              label={t("cell.diff.after")}
              sides={sides}
              value={after}
              onValueChanged={setAfter}
            />
          </div>
          {error === null ? null : <ProblemState error={error} />}
          {error === null && (first.text === undefined || second.text === undefined) ? (
            <FormSkeleton fields={2} />
          ) : null}
          {first.text === undefined || second.text === undefined ? null : (
            <WordDiff before={first.text} after={second.text} />
          )}
        </>
      )}
    </Dialog>
  );
}
