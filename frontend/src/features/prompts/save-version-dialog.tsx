import { useQuery } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import type { Prompt } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { i18n } from "@/lib/i18n";
import { PartDiffs } from "./part-diffs";
import { diffQuery, DRAFT } from "./version-queries";

export const CHANGELOG = { shortest: 10, longest: 500 } as const;

const schema = z.object({
  changelog: z
    .string()
    .trim()
    .min(CHANGELOG.shortest, {
      error: () => i18n.t("prompts.version.changelogShort", { min: CHANGELOG.shortest }),
    })
    .max(CHANGELOG.longest, {
      error: () => i18n.t("prompts.version.changelogLong", { max: CHANGELOG.longest }),
    }),
});

export interface SaveVersionDialogProps {
  slug: string;
  prompt: Prompt;
  onClosed: () => void;
}

/** Diff between the latest version and the draft; a note when there is no version yet. */
function Changes({ slug, prompt }: SaveVersionDialogProps) {
  const { t } = useTranslation();
  const diff = useQuery({
    ...diffQuery(slug, prompt.id, {
      from: prompt.latest?.id ?? "",
      to: DRAFT,
      draftVersion: prompt.draft.version,
    }),
    enabled: prompt.latest !== null,
  });
  if (prompt.latest === null) {
    return <p className="text-sm text-ink-muted">{t("prompts.version.first")}</p>;
  }
  if (diff.isPending) {
    return (
      <LoadingStatus>
        <Skeleton className="h-40" />
      </LoadingStatus>
    );
  }
  if (diff.isError) {
    return <ProblemState error={diff.error} onRetry={() => void diff.refetch()} />;
  }
  return (
    <PartDiffs
      diffs={diff.data.parts}
      leftLabel={prompt.latest.label}
      rightLabel={t("prompts.version.next")}
    />
  );
}

function VersionForm({ slug, prompt, onClosed }: SaveVersionDialogProps) {
  const { t } = useTranslation();
  const save = useChange("post", "/projects/{project}/prompts/{prompt_id}/versions", {
    project: slug,
    prompt_id: prompt.id,
  });
  const { register, control, formState, message, submit } = useServerForm({
    schema,
    fields: ["changelog"],
    defaultValues: { changelog: prompt.latest === null ? t("prompts.version.firstChangelog") : "" },
    onSubmitted: async ({ changelog }) => {
      const version = await save.mutateAsync({
        body: { version: prompt.draft.version, changelog },
      });
      toast.success(t("prompts.version.saved", { label: version.label }));
      onClosed();
    },
  });
  const length = useWatch({ control, name: "changelog" }).trim().length;
  const isUnchanged = !prompt.draft.is_changed;
  const preventing = prompt.draft.warnings.filter((warning) => warning.prevents_runs);
  return (
    <DialogForm
      message={message}
      submitLabel={t("prompts.version.submit")}
      isSaving={save.isPending}
      disabled={isUnchanged || preventing.length > 0}
      onSubmitted={() => void submit()}
      onCancelled={onClosed}
    >
      {preventing.length > 0 ? (
        <Alert tone="danger" title={t("prompts.version.notRunnable")} live={false}>
          <ul className="grid gap-0.5">
            {preventing.map((warning) => (
              <li key={`${warning.field}-${warning.code}`}>{warning.message}</li>
            ))}
          </ul>
        </Alert>
      ) : null}
      <Field
        required
        label={t("prompts.version.changelog")}
        hint={t("prompts.version.changelogHint", { length, max: CHANGELOG.longest })}
        error={formState.errors.changelog?.message}
      >
        {(props) => (
          <Textarea
            {...props}
            rows={2}
            placeholder={t("prompts.version.changelogPlaceholder")}
            {...register("changelog")}
          />
        )}
      </Field>
      <Changes slug={slug} prompt={prompt} onClosed={onClosed} />
    </DialogForm>
  );
}

export function SaveVersionDialog(props: SaveVersionDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onOpenChanged={props.onClosed}
      closeOnOutside={false}
      width="xl"
      title={t("prompts.version.title", { name: props.prompt.name })}
      description={t("prompts.version.description")}
    >
      <VersionForm {...props} />
    </Dialog>
  );
}
