import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";
import { diffRecords, type DiffRow } from "@/lib/record-diff";

const SIGNS = { added: "+", removed: "−", changed: "~", same: "" } as const;

function Value({ value, tone }: { value: string | null; tone: "before" | "after" }) {
  const { t } = useTranslation();
  if (value === null) {
    return <span className="text-ink-subtle">{t("diff.none")}</span>;
  }
  return (
    <code
      className={cn(
        "inline-block max-w-full rounded-sm px-1.5 py-0.5 text-xs break-words whitespace-pre-wrap",
        tone === "before" ? "bg-danger-bg text-danger" : "bg-success-bg text-success",
      )}
    >
      {value}
    </code>
  );
}

function Row({ row }: { row: DiffRow }) {
  const { t } = useTranslation();
  return (
    <tr className="border-b border-border align-top last:border-b-0">
      <th scope="row" className="w-1/4 px-3 py-2 text-left text-xs font-medium break-words">
        <span aria-hidden className="mr-1.5 inline-block w-2 text-ink-subtle">
          {SIGNS[row.kind]}
        </span>
        {row.path}
        <span className="sr-only">{t(`diff.${row.kind}`)}</span>
      </th>
      {row.kind === "same" ? (
        <td colSpan={2} className="px-3 py-2">
          <code className="text-xs break-words whitespace-pre-wrap text-ink-muted">
            {row.after}
          </code>
        </td>
      ) : (
        <>
          <td className="px-3 py-2">
            <Value value={row.before} tone="before" />
          </td>
          <td className="px-3 py-2">
            <Value value={row.after} tone="after" />
          </td>
        </>
      )}
    </tr>
  );
}

export interface DiffViewProps {
  caption: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /** Labels of the two sides, where neither came before the other. */
  labels?: { before: string; after: string };
}

/** Diff of two records by field; changes are marked by sign as well as by colour. */
export function DiffView({ caption, before, after, labels }: DiffViewProps) {
  const { t } = useTranslation();
  const rows = diffRecords(before, after);
  return (
    <div className="overflow-x-auto rounded-lg border border-border">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-border bg-surface text-left text-xs text-ink-muted">
            <th scope="col" className="w-1/4 px-3 py-2 font-medium">
              {t("diff.field")}
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              {labels?.before ?? t("diff.before")}
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              {labels?.after ?? t("diff.after")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.path} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
