import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PencilLine, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { caseTagsQuery } from "@/api/datasets";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import type { CaseTag } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { RenameDialog } from "@/components/rename-dialog";
import { SearchBox } from "@/components/search-box";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";

interface TagsDialogProps {
  slug: string;
  editable: boolean;
  onClosed: () => void;
}

interface TagItemProps extends TagsDialogProps {
  tag: CaseTag;
  onRename: () => void;
  onRemove: () => void;
}

/** How many sets and cases have the tag. */
function useTagUse({ cases, datasets }: CaseTag): string {
  const { t } = useTranslation();
  const sets = datasets.filter(({ is_tagged: isTagged }) => isTagged).length;
  return [
    ...(sets === 0 ? [] : [t("caseTags.sets", { count: sets })]),
    ...(cases === 0 ? [] : [t("caseTags.cases", { count: cases })]),
  ].join(", ");
}

function useDatasetLabel() {
  const { t } = useTranslation();
  return ({ name, cases, is_tagged: isTagged }: CaseTag["datasets"][number]) => {
    if (!isTagged) {
      return t("caseTags.inDataset", { name, count: cases });
    }
    return cases === 0
      ? t("caseTags.onDataset", { name })
      : t("caseTags.onBoth", { name, count: cases });
  };
}

function TagItem({ slug, editable, tag, onRename, onRemove, onClosed }: TagItemProps) {
  const { t } = useTranslation();
  const use = useTagUse(tag);
  const labelOf = useDatasetLabel();
  return (
    <li className="flex items-start justify-between gap-3 py-3">
      <div className="grid min-w-0 gap-1.5">
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Badge tone="outline" className="max-w-full wrap-anywhere">
            {tag.name}
          </Badge>
          <span className="text-ink-muted tabular-nums">{use}</span>
        </p>
        <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs">
          {tag.datasets.map((dataset) => (
            <li key={dataset.id}>
              <Link
                to="/p/$slug/datasets/$datasetId"
                params={{ slug, datasetId: dataset.id }}
                search={dataset.cases === 0 ? {} : { tag: tag.name }}
                className="text-accent-ink hover:underline"
                onClick={onClosed}
              >
                {labelOf(dataset)}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {editable ? (
        <div className="flex shrink-0 gap-1">
          <Button
            variant="secondary"
            size="sm"
            aria-label={t("caseTags.renameOne", { name: tag.name })}
            onClick={onRename}
          >
            <PencilLine aria-hidden />
            {t("caseTags.rename")}
          </Button>
          <Button
            variant="ghost"
            size="sm"
            iconOnly
            aria-label={t("caseTags.removeOne", { name: tag.name })}
            title={t("caseTags.remove")}
            onClick={onRemove}
          >
            <Trash2 aria-hidden />
          </Button>
        </div>
      ) : null}
    </li>
  );
}

function useTagChange(slug: string) {
  return useChange(
    "post",
    "/projects/{project}/case-tags/change",
    { project: slug },
    { refresh: [keys.datasets(slug), keys.audit(slug)] },
  );
}

function RenameTag({ slug, tag, onClosed }: { slug: string; tag: CaseTag; onClosed: () => void }) {
  const { t } = useTranslation();
  const change = useTagChange(slug);
  return (
    <RenameDialog
      title={t("caseTags.renameOne", { name: tag.name })}
      label={t("caseTags.newName")}
      hint={t("caseTags.mergeHint")}
      name={tag.name}
      submitLabel={t("caseTags.rename")}
      isSaving={change.isPending}
      error={change.error}
      onEdited={change.reset}
      onClosed={onClosed}
      onRenamed={(name) =>
        change.mutate(
          { body: { tags: [tag.name], replace_by: name } },
          {
            onSuccess: ({ datasets }) => {
              toast.success(t("caseTags.changed", { count: datasets }));
              onClosed();
            },
          },
        )
      }
    />
  );
}

function RemoveTag({ slug, tag, onClosed }: { slug: string; tag: CaseTag; onClosed: () => void }) {
  const { t } = useTranslation();
  const change = useTagChange(slug);
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("caseTags.removeTitle", { name: tag.name })}
      description={t("caseTags.removeBody", { use: useTagUse(tag) })}
      confirmLabel={t("caseTags.remove")}
      loading={change.isPending}
      error={change.isError ? problemMessage(change.error) : null}
      onConfirmed={() =>
        change.mutate(
          { body: { tags: [tag.name] } },
          {
            onSuccess: ({ datasets }) => {
              toast.success(t("caseTags.changed", { count: datasets }));
              onClosed();
            },
          },
        )
      }
    />
  );
}

/** The tags of all datasets and cases of a project: rename, merge, remove. */
export function TagsDialog(props: TagsDialogProps) {
  const { slug, onClosed } = props;
  const { t } = useTranslation();
  const found = useQuery(caseTagsQuery(slug));
  const [q, setQ] = useState<string | undefined>();
  const [open, setOpen] = useState<{ tag: CaseTag; kind: "rename" | "remove" } | null>(null);
  const close = () => setOpen(null);
  const tags = found.data?.items ?? [];
  const shown = tags.filter(({ name }) => name.toLowerCase().includes((q ?? "").toLowerCase()));
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="lg"
      title={t("caseTags.title")}
      description={t("caseTags.description")}
    >
      {found.isPending ? (
        <FormSkeleton fields={3} />
      ) : found.isError ? (
        <ProblemState error={found.error} onRetry={() => void found.refetch()} />
      ) : tags.length === 0 ? (
        <p role="status" className="text-sm text-ink-muted">
          {t("caseTags.none")}
        </p>
      ) : (
        <>
          <SearchBox label={t("caseTags.search")} value={q} onValueChanged={setQ} />
          <ul aria-label={t("caseTags.title")} className="divide-y divide-border">
            {shown.map((tag) => (
              <TagItem
                key={tag.name}
                {...props}
                tag={tag}
                onRename={() => setOpen({ tag, kind: "rename" })}
                onRemove={() => setOpen({ tag, kind: "remove" })}
              />
            ))}
          </ul>
          {shown.length === 0 ? (
            <p role="status" className="text-sm text-ink-muted">
              {t("caseTags.noMatch")}
            </p>
          ) : null}
        </>
      )}
      <DialogFooter>
        <Button variant="secondary" onClick={onClosed}>
          {t("ui.close")}
        </Button>
      </DialogFooter>
      {open?.kind === "rename" ? <RenameTag slug={slug} tag={open.tag} onClosed={close} /> : null}
      {open?.kind === "remove" ? <RemoveTag slug={slug} tag={open.tag} onClosed={close} /> : null}
    </Dialog>
  );
}
