import { useTranslation } from "react-i18next";
import type { ImportPreview, MappedColumn } from "@/api/types";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { rename, mapColumn, TARGETS } from "./import-mapping";

export interface ImportColumnsProps {
  preview: ImportPreview;
  mapping: readonly MappedColumn[];
  onMappingChanged: (mapping: MappedColumn[]) => void;
}

/** One line per column: name, samples and mapping. */
export function ImportColumns({ preview, mapping, onMappingChanged }: ImportColumnsProps) {
  const { t } = useTranslation();
  const samples = (column: string) =>
    preview.rows
      .map((row) => row.values[column] ?? "")
      .filter((value) => value !== "")
      .slice(0, 2)
      .join(" · ");
  return (
    <ul className="divide-y divide-border rounded-lg border border-border">
      {mapping.map((each) => (
        <li
          key={each.column}
          className="grid items-center gap-x-4 gap-y-2 px-4 py-2.5 md:grid-cols-[minmax(0,1fr)_12rem_12rem]"
        >
          <div className="min-w-0">
            <p className="font-mono text-xs font-medium wrap-anywhere">{each.column}</p>
            <p className="truncate text-xs text-ink-muted">
              {samples(each.column) || t("datasets.import.noValues")}
            </p>
          </div>
          <Select
            size="sm"
            aria-label={t("datasets.import.becomes", { column: each.column })}
            value={each.target}
            options={TARGETS.map((value) => ({
              value,
              label: t(`datasets.import.targets.${value}`),
            }))}
            onValueChanged={(target) => onMappingChanged(mapColumn(mapping, each.column, target))}
          />
          {each.target === "variable" ? (
            <Input
              aria-label={t("datasets.import.variableOf", { column: each.column })}
              className="h-8 font-mono text-xs"
              spellCheck={false}
              autoComplete="off"
              value={each.variable ?? ""}
              onChange={(event) =>
                onMappingChanged(rename(mapping, each.column, event.target.value))
              }
            />
          ) : (
            <span className="max-md:hidden" />
          )}
        </li>
      ))}
    </ul>
  );
}
