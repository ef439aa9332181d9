import { useTranslation } from "react-i18next";
import { inputText } from "@/components/grid/case-header";
import type { CaseInfo } from "@/components/grid/rows";
import { Badge } from "@/components/ui/badge";
import { Skeleton } from "@/components/ui/skeleton";
import { TextBlock } from "./text-block";

/** Inputs and expected answer of a case. */
export function CaseTexts({ row }: { row: CaseInfo | undefined }) {
  const { t } = useTranslation();
  if (row === undefined) {
    return <Skeleton className="h-24" />;
  }
  return (
    <div className="grid gap-3">
      {row.tags.length === 0 && row.split === null ? null : (
        <p className="flex flex-wrap gap-1.5">
          {row.split === null ? null : <Badge>{row.split}</Badge>}
          {row.tags.map((tag) => (
            <Badge key={tag} tone="outline">
              {tag}
            </Badge>
          ))}
        </p>
      )}
      {Object.entries(row.inputs).map(([name, value]) => (
        <TextBlock key={name} label={name} text={inputText(value)} />
      ))}
      {row.expected === null ? null : (
        <TextBlock label={t("runs.dialog.expected")} text={row.expected} />
      )}
    </div>
  );
}
