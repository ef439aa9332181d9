import { useQuery } from "@tanstack/react-query";
import { Flag } from "lucide-react";
import { useTranslation } from "react-i18next";
import { outputScoresQuery, scoreOptions } from "@/api/human-scores";
import { problemMessage } from "@/api/problem-message";
import { useChange } from "@/api/use-change";
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
  const isFlagged = flag !== null;
  const change = useChange(
    isFlagged ? "delete" : "put",
    "/projects/{project}/outputs/{output_id}/flag",
    { project: slug },
    scoreOptions(slug),
  );
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
        change.mutate(
          { output_id: outputId },
          { onError: (error) => toast.error(problemMessage(error)) },
        )
      }
    >
      <Flag aria-hidden className={cn(isFlagged && "fill-current")} />
    </Button>
  );
}
