import { useTranslation } from "react-i18next";
import type { ImportChange, ImportPreview } from "@/api/types";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

const FORMATS = ["csv", "json", "jsonl"] as const;
const ENCODINGS = ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "windows-1252", "latin-1"] as const;
const DELIMITERS = [",", ";", "\t", "|"] as const;
const DELIMITER_NAMES = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" } as const;
const SHOWN_ROWS = 5;

export interface ImportLayoutProps {
  preview: ImportPreview;
  isReading: boolean;
  onLayoutChanged: (change: ImportChange) => void;
}

function FirstRows({ preview }: { preview: ImportPreview }) {
  const { t } = useTranslation();
  return (
    <div
      role="region"
      tabIndex={0}
      aria-label={t("datasets.import.firstRows")}
      className="overflow-x-auto rounded-lg border border-border"
    >
      <table className="w-full text-left text-xs">
        <caption className="sr-only">{t("datasets.import.firstRows")}</caption>
        <thead>
          <tr className="border-b border-border bg-surface text-ink-muted">
            <th scope="col" className="px-3 py-2 font-medium">
              {t("datasets.import.line")}
            </th>
            {preview.columns.map((column) => (
              <th key={column} scope="col" className="px-3 py-2 font-mono font-medium">
                <span className="block max-w-56 truncate">{column}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.slice(0, SHOWN_ROWS).map((row) => (
            <tr key={row.line} className="border-b border-border last:border-b-0">
              <td className="px-3 py-2 text-ink-muted tabular-nums">{row.line}</td>
              {preview.columns.map((column) => (
                <td key={column} className="px-3 py-2">
                  <span className="line-clamp-2 max-w-56 min-w-20 wrap-anywhere">
                    {row.values[column] ?? ""}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Detected file layout; each part can be corrected. */
export function ImportLayout({ preview, isReading, onLayoutChanged }: ImportLayoutProps) {
  const { t } = useTranslation();
  return (
    <section className="grid gap-4" aria-labelledby="import-layout" aria-busy={isReading}>
      <h3 id="import-layout" className="text-sm font-semibold">
        {t("datasets.import.layout")}
      </h3>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field required label={t("datasets.import.format")}>
          {(control) => (
            <Select
              {...control}
              value={preview.format}
              options={FORMATS.map((value) => ({
                value,
                label: t(`datasets.import.formatNames.${value}`),
              }))}
              onValueChanged={(format) => onLayoutChanged({ format })}
            />
          )}
        </Field>
        <Field required label={t("datasets.import.encoding")}>
          {(control) => (
            <Select
              {...control}
              value={preview.encoding}
              options={ENCODINGS.map((value) => ({ value, label: value.toUpperCase() }))}
              onValueChanged={(encoding) => onLayoutChanged({ encoding })}
            />
          )}
        </Field>
        {preview.delimiter === null ? null : (
          <Field required label={t("datasets.import.delimiter")}>
            {(control) => (
              <Select
                {...control}
                value={preview.delimiter ?? ","}
                options={DELIMITERS.map((value) => ({
                  value,
                  label: t(`datasets.import.delimiters.${DELIMITER_NAMES[value]}`),
                }))}
                onValueChanged={(delimiter) => onLayoutChanged({ delimiter })}
              />
            )}
          </Field>
        )}
      </div>
      <FirstRows preview={preview} />
    </section>
  );
}
