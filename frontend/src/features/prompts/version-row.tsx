import { CircleCheckBig, CircleOff, GitCompareArrows, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Prompt, VersionSummary } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { labelOf, ProductionBadge } from "./prompt-badges";

export interface VersionActions {
  onCompared: (version: VersionSummary) => void;
  onRestored: (version: VersionSummary) => void;
  onProductionChanged: (version: VersionSummary, production: boolean) => void;
}

export interface VersionRowProps extends VersionActions {
  prompt: Prompt;
  version: VersionSummary;
  /** Set when it is not the preceding version. */
  parent: VersionSummary | undefined;
  editable: boolean;
  pending: boolean;
}

function Actions(props: VersionRowProps) {
  const { version, editable, pending, onCompared, onRestored, onProductionChanged } = props;
  const { t } = useTranslation();
  const { label, is_production } = version;
  return (
    <div className="-ml-2 flex flex-wrap gap-1">
      <Button
        variant="ghost"
        size="sm"
        className="h-7 px-2"
        aria-label={t("prompts.history.compareOf", { label })}
        onClick={() => onCompared(version)}
      >
        <GitCompareArrows aria-hidden />
        {t("prompts.history.compare")}
      </Button>
      {editable ? (
        <>
          <Button
            variant="ghost"
            size="sm"
            className="h-7 px-2"
            loading={pending}
            aria-label={t("prompts.history.restoreOf", { label })}
            onClick={() => onRestored(version)}
          >
            <Undo2 aria-hidden />
            {t("prompts.history.restore")}
          </Button>
          <Button
            variant="ghost"
            size="sm"
            className="h-7 px-2"
            aria-label={t(
              is_production ? "prompts.production.unmarkOf" : "prompts.production.markOf",
              { label },
            )}
            onClick={() => onProductionChanged(version, !is_production)}
          >
            {is_production ? <CircleOff aria-hidden /> : <CircleCheckBig aria-hidden />}
            {is_production ? t("prompts.production.unmark") : t("prompts.production.mark")}
          </Button>
        </>
      ) : null}
    </div>
  );
}

export function VersionRow(props: VersionRowProps) {
  const { prompt, version, parent } = props;
  const { t } = useTranslation();
  return (
    <div className="grid min-w-0 flex-1 gap-1 pb-5">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <span className="font-mono text-sm font-semibold wrap-anywhere">
          {labelOf(version, prompt)}
        </span>
        {version.is_production ? <ProductionBadge /> : null}
        {version.origin === "manual" ? null : (
          <Badge tone="outline">{t(`prompts.history.origins.${version.origin}`)}</Badge>
        )}
        {parent === undefined ? null : (
          <span className="text-xs text-ink-muted">
            {t("prompts.history.from", { label: labelOf(parent, prompt) })}
          </span>
        )}
      </div>
      <p className="text-xs wrap-anywhere text-ink-muted">
        {version.author ?? t("prompts.history.formerMember")} ·{" "}
        <RelativeTime iso={version.created_at} />
      </p>
      {version.changelog ? <p className="text-sm wrap-anywhere">{version.changelog}</p> : null}
      <Actions {...props} />
    </div>
  );
}
