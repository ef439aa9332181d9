import { Shuffle, Tag, Tags, Trash2, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BulkAction } from "@/api/types";
import { FormAlert } from "@/components/form-alert";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Menu, MenuItem } from "@/components/ui/dropdown-menu";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { DatasetAddress } from "@/api/case-imports";
import { useBulk } from "./use-bulk";
import { explain } from "./use-save-case";
import { parseTags } from "./values";
import { SPLITS, type CaseView, type Chosen } from "./view";

export interface BulkBarProps {
  at: DatasetAddress;
  view: CaseView;
  chosen: Chosen;
  count: number;
  /** Number of cases that match the filter. */
  total: number;
  /** Existing tags, as suggestions. */
  knownTags: readonly string[];
  onChosenChanged: (chosen: Chosen) => void;
  onDone: () => void;
}

interface TagDialogProps {
  action: "add_tags" | "remove_tags";
  count: number;
  knownTags: readonly string[];
  loading: boolean;
  error: unknown;
  onSubmitted: (tags: string[]) => void;
  onClosed: () => void;
}

function TagDialog(props: TagDialogProps) {
  const { action, count, knownTags, loading, error } = props;
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const tags = parseTags(text);
  return (
    <Dialog
      open
      onOpenChanged={props.onClosed}
      width="sm"
      title={t(`datasets.bulk.${action}.title`, { count })}
    >
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (tags.length > 0 && !loading) {
            props.onSubmitted(tags);
          }
        }}
      >
        <FormAlert message={explain(error)} />
        <Field required label={t("datasets.columns.tags")} hint={t("datasets.bulk.tagsHint")}>
          {(control) => (
            <>
              <Input
                {...control}
                list={`${control.id}-known`}
                autoComplete="off"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
              <datalist id={`${control.id}-known`}>
                {knownTags.map((tag) => (
                  <option key={tag} value={tag} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <DialogFooter>
          <Button variant="ghost" onClick={props.onClosed}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" disabled={tags.length === 0} loading={loading}>
            {t(`datasets.bulk.${action}.submit`)}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** Bulk actions on the selected cases; each can be undone. */
export function BulkBar(props: BulkBarProps) {
  const { at, view, chosen, count, total, knownTags, onChosenChanged, onDone } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState<"add_tags" | "remove_tags" | "delete" | null>(null);
  const bulk = useBulk(at);
  const submit = (change: BulkAction) =>
    bulk.run({ chosen, view, total, change }, () => {
      setOpen(null);
      onDone();
    });
  const show = (next: typeof open) => {
    bulk.reset();
    setOpen(next);
  };
  return (
    <div
      role="region"
      aria-label={t("datasets.bulk.label")}
      className="flex min-h-12 flex-wrap items-center gap-2 rounded-lg border border-accent-solid bg-accent-bg px-4 py-2 text-on-accent-bg"
    >
      <p role="status" className="text-sm font-medium">
        {t("datasets.bulk.chosen", { count })}
      </p>
      {chosen.kind === "some" && count < total ? (
        <Button variant="secondary" size="sm" onClick={() => onChosenChanged({ kind: "all" })}>
          {t("datasets.bulk.allMatching", { count: total })}
        </Button>
      ) : null}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <Button variant="secondary" size="sm" onClick={() => show("add_tags")}>
          <Tag aria-hidden />
          {t("datasets.bulk.add_tags.action")}
        </Button>
        <Button variant="secondary" size="sm" onClick={() => show("remove_tags")}>
          <Tags aria-hidden />
          {t("datasets.bulk.remove_tags.action")}
        </Button>
        <Menu
          trigger={
            <Button variant="secondary" size="sm" loading={bulk.isPending && open === null}>
              <Shuffle aria-hidden />
              {t("datasets.bulk.set_split.action")}
            </Button>
          }
        >
          {SPLITS.map((split) => (
            <MenuItem key={split} onSelect={() => submit({ action: "set_split", split })}>
              {t(`datasets.splits.${split}`)}
            </MenuItem>
          ))}
        </Menu>
        <Button variant="secondary" size="sm" onClick={() => show("delete")}>
          <Trash2 aria-hidden />
          {t("datasets.bulk.delete.action")}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          aria-label={t("datasets.bulk.clear")}
          onClick={onDone}
        >
          <X aria-hidden />
        </Button>
      </div>
      {open === "add_tags" || open === "remove_tags" ? (
        <TagDialog
          action={open}
          count={count}
          knownTags={knownTags}
          loading={bulk.isPending}
          error={bulk.error}
          onSubmitted={(tags) => submit({ action: open, tags })}
          onClosed={() => setOpen(null)}
        />
      ) : null}
      <ConfirmDialog
        open={open === "delete"}
        onOpenChanged={() => setOpen(null)}
        title={t("datasets.bulk.delete.title", { count })}
        description={t("datasets.bulk.delete.body")}
        confirmLabel={t("datasets.bulk.delete.submit", { count })}
        loading={bulk.isPending}
        error={explain(bulk.error)}
        onConfirmed={() => submit({ action: "delete" })}
      />
    </div>
  );
}
