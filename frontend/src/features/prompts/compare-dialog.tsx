import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Prompt } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { ProblemState } from "@/components/problem-state";
import { Dialog } from "@/components/ui/dialog";
import { Select } from "@/components/ui/select";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { truncate } from "@/lib/format";
import { PartDiffs } from "./part-diffs";
import { labelOf } from "./prompt-badges";
import { diffQuery, DRAFT, versionsQuery } from "./version-queries";

export interface CompareDialogProps {
  slug: string;
  prompt: Prompt;
  from: string;
  to: string;
  onSidesChanged: (from: string, to: string) => void;
  onClosed: () => void;
}

function useSides({ slug, prompt }: CompareDialogProps) {
  const { t } = useTranslation();
  const versions = useInfiniteQuery(versionsQuery(slug, prompt.id));
  const sides = [
    { value: DRAFT, label: t("prompts.compare.draft") },
    ...(versions.data?.items ?? []).map((version) => ({
      value: version.id,
      label: labelOf(version, prompt),
      ...(version.changelog ? { description: truncate(version.changelog, 80) } : {}),
    })),
  ];
  return { versions, sides };
}

function Differences({ slug, prompt, from, to }: CompareDialogProps) {
  const diff = useQuery(
    diffQuery(slug, prompt.id, { from, to, draftVersion: prompt.draft.version }),
  );
  if (diff.isPending) {
    return (
      <LoadingStatus>
        <Skeleton className="h-64" />
      </LoadingStatus>
    );
  }
  if (diff.isError) {
    return <ProblemState error={diff.error} onRetry={() => void diff.refetch()} />;
  }
  return (
    <PartDiffs
      key={`${from} ${to}`}
      diffs={diff.data.parts}
      leftLabel={diff.data.left}
      rightLabel={diff.data.right}
    />
  );
}

/** Compares two versions, or a version with the draft. */
export function CompareDialog(props: CompareDialogProps) {
  const { from, to, onSidesChanged, onClosed } = props;
  const { t } = useTranslation();
  const { versions, sides } = useSides(props);
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="xl"
      title={t("prompts.compare.title")}
      description={t("prompts.compare.description")}
    >
      <LoadError queries={[versions]} />
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={t("prompts.compare.from")}
          className="w-56"
          value={from}
          options={sides}
          onValueChanged={(next) => onSidesChanged(next, to)}
        />
        <ArrowRight aria-hidden className="size-4 text-ink-subtle" />
        <Select
          aria-label={t("prompts.compare.to")}
          className="w-56"
          value={to}
          options={sides}
          onValueChanged={(next) => onSidesChanged(from, next)}
        />
      </div>
      <Differences {...props} />
    </Dialog>
  );
}
