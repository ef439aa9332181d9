import { CircleCheckBig } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PromptKind, PromptSummary } from "@/api/types";
import { Badge } from "@/components/ui/badge";

export function KindBadge({ kind }: { kind: PromptKind }) {
  const { t } = useTranslation();
  return (
    <Badge tone={kind === "grader" ? "info" : "neutral"}>{t(`prompts.kinds.${kind}.name`)}</Badge>
  );
}

export function ProductionBadge({ children }: { children?: string }) {
  const { t } = useTranslation();
  return (
    <Badge tone="success" icon={<CircleCheckBig aria-hidden />}>
      {children ?? t("prompts.production.badge")}
    </Badge>
  );
}

/** Label with the name under which the version was created, which may have changed since. */
export function labelOf(version: { name: string; label: string }, prompt: PromptSummary): string {
  return version.name === prompt.name ? version.label : `${version.name} ${version.label}`;
}
