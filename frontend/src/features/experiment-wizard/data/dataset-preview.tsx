import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { caseChoicesQuery } from "@/api/case-choices";
import { LoadError } from "@/components/load-error";
import { formatNumber, truncate } from "@/lib/format";
import { columnsOf, showInput } from "./inline-cases";

const SHOWN = 5;
const LONGEST = 160;

export interface DatasetPreviewProps {
  slug: string;
  datasetId: string;
  caseCount: number;
  variables: readonly string[];
}

/** First cases of a dataset, as a preview. */
export function DatasetPreview({ slug, datasetId, caseCount, variables }: DatasetPreviewProps) {
  const { t } = useTranslation();
  const choices = useQuery(caseChoicesQuery(slug, datasetId));
  const cases = (choices.data ?? []).slice(0, SHOWN);
  if (cases.length === 0) {
    return <LoadError queries={[choices]} />;
  }
  const columns = columnsOf(variables, cases);
  const cell = "max-w-80 min-w-32 px-3 py-2 align-top wrap-anywhere";
  return (
    <div className="grid gap-2">
      <div className="overflow-x-auto rounded-lg border border-border">
        <table className="w-full border-collapse text-left text-sm">
          <caption className="sr-only">{t("wizard.data.preview")}</caption>
          <thead>
            <tr className="h-9 border-b border-border bg-surface text-xs text-ink-muted">
              {columns.map((name) => (
                <th key={name} scope="col" className="px-3 font-mono font-medium">
                  {name}
                </th>
              ))}
              <th scope="col" className="px-3 font-medium">
                {t("wizard.data.expected")}
              </th>
            </tr>
          </thead>
          <tbody>
            {cases.map(({ id, inputs, expected }) => (
              <tr key={id} className="border-b border-border last:border-b-0">
                {columns.map((name) => (
                  <td key={name} className={cell}>
                    <bdi>{truncate(showInput(inputs[name]), LONGEST)}</bdi>
                  </td>
                ))}
                <td className={`${cell} text-ink-muted`}>
                  <bdi>{truncate(expected ?? "", LONGEST)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-xs text-ink-muted">
        {t("wizard.data.previewOf", {
          shown: formatNumber(cases.length),
          count: caseCount,
          total: formatNumber(caseCount),
        })}
      </p>
    </div>
  );
}
