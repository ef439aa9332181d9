import { useQuery } from "@tanstack/react-query";
import { Flag } from "lucide-react";
import { useTranslation } from "react-i18next";
import { outputScoresQuery, useFlagOutput } from "@/api/human-scores";
import { problemMessage } from "@/api/problem-message";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { cn } from "@/lib/cn";

export interface FlagButtonProps {
  slug: string;
  outputId: string;
  canFlag: boolean;
}

/** Flags an answer for others to look at. Read-only without permission. */
export function FlagButton({ slug, outputId, canFlag }: FlagButtonProps) {
  const { t } = useTranslation();
  const flag = useQuery(outputScoresQuery(slug, outputId)).data?.flag ?? null;
  const change = useFlagOutput(slug, outputId);
  const isFlagged = flag !== null;
  const by = flag?.person?.name;
  const title =
    by === undefined
      ? t("iterations.outputs.flag")
      : t("iterations.outputs.flaggedBy", { name: by });
  if (!canFlag) {
    return isFlagged ? (
      <span title={title}>
        <Badge tone="warning" icon={<Flag aria-hidden />}>
          {t("iterations.outputs.isFlagged")}
        </Badge>
      </span>
    ) : null;
  }
  return (
    <Button
      variant="ghost"
      size="sm"
      iconOnly
      aria-pressed={isFlagged}
      aria-label={t("iterations.outputs.flag")}
      title={title}
      loading={change.isPending}
      className={cn(isFlagged && "bg-warning-bg text-warning")}
      onClick={() =>
        change.mutate(!isFlagged, { onError: (error) => toast.error(problemMessage(error)) })
      }
    >
      <Flag aria-hidden className={cn(isFlagged && "fill-current")} />
    </Button>
  );
}
