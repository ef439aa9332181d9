import { ArrowDown, ArrowDownUp, ArrowUp, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { modelSource } from "@/lib/model-source";
import type { Column, Metric } from "../session";

/** Column name, such as "OpenAI / GPT-4o". */
export function useColumnName() {
  const { t } = useTranslation();
  return (column: Column, models: readonly Model[] | undefined): string => {
    if (models === undefined) {
      return t("ui.loading");
    }
    const model = models.find(({ id }) => id === column.modelId);
    return model === undefined
      ? t("playground.column.gone")
      : `${modelSource(model, models)} / ${model.display_name}`;
  };
}

/** Settings that distinguish the column from others of the same model. */
function detailsOf(column: Column): string {
  const parameters = Object.entries(column.parameters ?? {})
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`);
  return [column.label, ...parameters].filter(Boolean).join(" · ");
}

export interface ColumnHeaderProps {
  column: Column;
  name: string;
  canEdit: boolean;
  metric: Metric;
  /** Sort direction, if rows are sorted by this column. */
  sorted: "ascending" | "descending" | undefined;
  /** Null when the column is not sortable. */
  onSorted: (() => void) | null;
  /** Null for the last column, which cannot be removed. */
  onRemoved: (() => void) | null;
  onEdited: () => void;
}

const TOOL =
  "flex size-7 shrink-0 items-center justify-center rounded-md text-ink-subtle hover:bg-surface-hover focus-visible:opacity-100 ";
/** Visible while the column is hovered or contains the focus. */
const VISIBLE_ON_HOVER =
  "opacity-0 group-focus-within/column:opacity-100 group-hover/column:opacity-100 ";
const ARROWS = { ascending: ArrowUp, descending: ArrowDown } as const;

type SortProps = Pick<ColumnHeaderProps, "name" | "metric" | "sorted"> & { onSorted: () => void };

function SortButton({ name, metric, sorted, onSorted }: SortProps) {
  const { t } = useTranslation();
  const Arrow = sorted === undefined ? ArrowDownUp : ARROWS[sorted];
  const label = t(`playground.column.sort.${sorted ?? "none"}`, {
    name,
    metric: t(`playground.metric.names.${metric}`),
  });
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={
        TOOL + (sorted === undefined ? VISIBLE_ON_HOVER : "text-accent-ink ") + "hover:text-ink"
      }
      onClick={onSorted}
    >
      <Arrow aria-hidden className="size-3.5" />
    </button>
  );
}

export function ColumnHeader(props: ColumnHeaderProps) {
  const { column, name, canEdit, onSorted, onRemoved, onEdited } = props;
  const { t } = useTranslation();
  const details = detailsOf(column);
  const words = (
    <>
      <span className="w-full truncate text-left text-ink">{name}</span>{" "}
      {details === "" ? null : (
        <span className="w-full truncate text-left font-normal">{details}</span>
      )}
    </>
  );
  return (
    <div className="group/column -mx-2 flex items-center gap-0.5">
      {canEdit ? (
        <button
          type="button"
          title={name}
          className="flex min-w-0 flex-1 flex-col rounded-md px-2 py-1 hover:bg-surface-hover"
          onClick={onEdited}
        >
          <span className="sr-only">{t("playground.column.edit")}</span> {words}
        </button>
      ) : (
        <span className="flex min-w-0 flex-1 flex-col px-2">{words}</span>
      )}
      {onSorted === null ? null : <SortButton {...props} onSorted={onSorted} />}
      {!canEdit || onRemoved === null ? null : (
        <button
          type="button"
          aria-label={t("playground.column.remove", { name })}
          title={t("playground.column.remove", { name })}
          className={TOOL + VISIBLE_ON_HOVER + "hover:text-danger"}
          onClick={onRemoved}
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}
