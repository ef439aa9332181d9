import { useTranslation } from "react-i18next";
import type { Case } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/lib/cn";
import type { GridColumn } from "./columns";
import { showValue, editFormatOf } from "./values";

const MOST_TAGS = 3;
const LONG = 140;

/** Whether a collapsed row truncates one of its cells. */
export function isLong(row: Case): boolean {
  const texts = [...Object.values(row.inputs).map(showValue), row.expected ?? ""];
  return row.tags.length > MOST_TAGS || texts.some((text) => text.length > LONG);
}

interface TextProps {
  value: unknown;
  expanded: boolean;
}

function TextCell({ value, expanded }: TextProps) {
  const { t } = useTranslation();
  if (value === undefined || value === null) {
    return (
      <span className="text-ink-subtle">
        <span aria-hidden>–</span>
        <span className="sr-only">{t("datasets.cell.none")}</span>
      </span>
    );
  }
  if (value === "") {
    return <span className="text-ink-subtle italic">{t("datasets.cell.empty")}</span>;
  }
  return (
    <span
      dir="auto"
      className={cn(
        "wrap-anywhere",
        expanded ? "line-clamp-20 whitespace-pre-wrap" : "line-clamp-2",
        editFormatOf(value) === "json" && "font-mono text-xs leading-5",
      )}
    >
      {showValue(value).slice(0, expanded ? 10_000 : 400)}
    </span>
  );
}

function TagsCell({ tags, expanded }: { tags: readonly string[]; expanded: boolean }) {
  const shown = expanded ? tags : tags.slice(0, MOST_TAGS);
  return (
    <span className={cn("flex flex-wrap gap-1", !expanded && "max-h-11 overflow-hidden")}>
      {shown.map((tag) => (
        <Badge key={tag} className="max-w-full">
          <span className="truncate">{tag}</span>
        </Badge>
      ))}
      {tags.length > shown.length ? (
        <span className="text-xs leading-5 text-ink-muted">+{tags.length - shown.length}</span>
      ) : null}
    </span>
  );
}

export interface CaseCellProps {
  row: Case;
  column: GridColumn;
  expanded: boolean;
}

/** Read-only cell content. */
export function CaseCell({ row, column, expanded }: CaseCellProps) {
  const { t } = useTranslation();
  switch (column.kind) {
    case "input":
      return <TextCell value={row.inputs[column.variable]} expanded={expanded} />;
    case "expected":
      return <TextCell value={row.expected} expanded={expanded} />;
    case "tags":
      return <TagsCell tags={row.tags} expanded={expanded} />;
    case "difficulty":
      return row.difficulty === null ? (
        <TextCell value={null} expanded={false} />
      ) : (
        <span className="tabular-nums">{row.difficulty}</span>
      );
    case "split":
      return (
        <Badge tone={row.split === "holdout" ? "info" : "outline"}>
          {t(`datasets.splits.${row.split}`)}
        </Badge>
      );
    case "origin":
      return <span className="text-ink-muted">{t(`datasets.origins.${row.origin}`)}</span>;
    case "version":
      return <span className="text-ink-muted tabular-nums">v{row.version}</span>;
    default:
      return null;
  }
}
