import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import { promptQuery, versionQuery } from "@/api/prompts";
import type { RunDetail } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { contentOf, type Part } from "@/components/prompt-editor/content";
import { PartEditors } from "@/components/prompt-editor/part-editors";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";

const HEIGHT = "h-[max(15rem,calc(100dvh-20rem))]";
const PARTS: readonly Part[] = ["text", "system", "few_shots", "tools"];
const NONE: ReadonlySet<string> = new Set();

export interface PastSideProps {
  slug: string;
  promptId: string;
  run: RunDetail;
  editable: boolean;
  /** Prompt switcher, before the name. */
  switcher: ReactNode;
  /** The version became the draft. */
  onRestored: () => void;
}

interface VersionTextProps {
  slug: string;
  promptId: string;
  versionId: string;
}

function VersionText({ slug, promptId, versionId }: VersionTextProps) {
  const version = useQuery(versionQuery(slug, promptId, versionId));
  const [part, setPart] = useState<Part>("text");
  const { data } = version;
  const content = useMemo(() => (data === undefined ? null : contentOf(data)), [data]);
  if (version.isError) {
    return <ProblemState error={version.error} onRetry={() => void version.refetch()} />;
  }
  return content === null ? (
    <FormSkeleton fields={2} />
  ) : (
    <PartEditors
      parts={PARTS}
      height={HEIGHT}
      part={part}
      onPartChanged={setPart}
      content={content}
      editable={false}
      missing={NONE}
      shown={undefined}
      tokens={null}
      onChanged={() => undefined}
      onBlurred={() => undefined}
    />
  );
}

/** The prompt of an earlier run, as it was; it can become the draft again. */
export function PastSide(props: PastSideProps) {
  const { slug, promptId, run, editable, onRestored } = props;
  const { t } = useTranslation();
  const prompt = useQuery(promptQuery(slug, promptId)).data;
  const variant = run.variants.find((each) => each.prompt_id === promptId);
  const versionId = variant?.version_id ?? null;
  const version = variant?.version_label ?? "";
  const restore = useChange(
    "post",
    "/projects/{project}/prompts/{prompt_id}/versions/{version_id}/restore",
    { project: slug, prompt_id: promptId },
    { refresh: [keys.prompts(slug)] },
  );
  const start = (wanted: string, draft: number) =>
    restore.mutate(
      { version_id: wanted, body: { version: draft } },
      {
        onSuccess: () => {
          toast.success(t("playground.past.restored", { version }));
          onRestored();
        },
        onError: (error) => toast.error(problemMessage(error)),
      },
    );
  const canRestore = editable && prompt?.archived_at === null;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4 p-4 lg:p-5">
      <div className="flex items-start gap-2">
        {props.switcher}
        <h1 className="line-clamp-2 min-w-0 flex-1 py-1 text-base leading-6 font-semibold">
          {prompt?.name ?? variant?.prompt_name}
        </h1>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Badge tone="outline">{version}</Badge>
        <span className="min-w-0 flex-1 text-xs text-ink-muted">
          {versionId === null ? t("playground.past.gone") : t("playground.past.text", { version })}
        </span>
        {canRestore && versionId !== null ? (
          <Button
            variant="secondary"
            size="sm"
            loading={restore.isPending}
            onClick={() => start(versionId, prompt.draft.version)}
          >
            <Undo2 aria-hidden />
            {t("playground.past.restore")}
          </Button>
        ) : null}
      </div>
      {versionId === null ? null : (
        <VersionText slug={slug} promptId={promptId} versionId={versionId} />
      )}
    </div>
  );
}
