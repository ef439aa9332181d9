import { useTranslation } from "react-i18next";
import { Badge } from "@/components/ui/badge";
import { Skeleton } from "@/components/ui/skeleton";
import type { RowHeaderProps } from "./grid-row";

const MOST_TAGS = 2;

/** A value as inserted into a prompt: strings unchanged, other values as JSON. */
export function inputText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** First cell of a row: the case. */
export function CaseHeader({ info, position }: RowHeaderProps) {
  const { t } = useTranslation();
  if (info === null) {
    return (
      <div className="grid gap-2 px-3 py-3.5">
        <span className="sr-only">{t("ui.loading")}</span>
        <Skeleton className="h-3 w-10" />
        <Skeleton className="h-3 w-full" />
        <Skeleton className="h-3 w-2/3" />
      </div>
    );
  }
  const inputs = Object.entries(info.inputs);
  return (
    <div className="flex h-full flex-col gap-1 px-3 py-2.5">
      <div className="flex items-center gap-1.5 overflow-hidden">
        <span className="mr-0.5 font-medium tabular-nums">{position + 1}</span>
        {info.tags.slice(0, MOST_TAGS).map((tag) => (
          <Badge key={tag} tone="outline" className="max-w-24 shrink">
            <span className="truncate">{tag}</span>
          </Badge>
        ))}
        {info.tags.length > MOST_TAGS ? (
          <span className="text-xs text-ink-muted">+{info.tags.length - MOST_TAGS}</span>
        ) : null}
      </div>
      <p className="line-clamp-4 text-xs wrap-anywhere text-ink-muted">
        {inputs.length === 0 ? t("runs.grid.noInputs") : null}
        {inputs.map(([name, value]) => (
          <span key={name} className="block">
            {inputs.length > 1 ? <code className="text-ink-subtle">{name} </code> : null}
            {inputText(value)}
          </span>
        ))}
      </p>
    </div>
  );
}
