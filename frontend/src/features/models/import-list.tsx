import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { AvailableModel, Model } from "@/api/types";
import { FormAlert } from "@/components/form-alert";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { DialogFooter } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { Skeleton, LoadingStatus } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { formatNumber } from "@/lib/format";
import { availableModelsQuery, useImportModels } from "./queries";

function ListSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-4 rounded-lg border border-border p-4">
        {Array.from({ length: 5 }, (_, index) => (
          <Skeleton key={index} className="w-2/3" />
        ))}
      </div>
    </LoadingStatus>
  );
}

function matching(models: readonly AvailableModel[], text: string): AvailableModel[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    const name = `${model.id} ${model.display_name ?? ""}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
}

interface ChecklistProps {
  models: readonly AvailableModel[];
  present: ReadonlySet<string>;
  chosen: ReadonlySet<string>;
  onChosenChanged: (chosen: ReadonlySet<string>) => void;
}

function Checklist({ models, present, chosen, onChosenChanged }: ChecklistProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const shown = matching(models, text);
  const fresh = shown.filter((model) => !present.has(model.id));
  const count = fresh.filter((model) => chosen.has(model.id)).length;
  const choose = (ids: readonly string[], wanted: boolean) => {
    const next = new Set(chosen);
    ids.forEach((id) => (wanted ? next.add(id) : next.delete(id)));
    onChosenChanged(next);
  };
  return (
    <div className="grid gap-3">
      <Input
        icon={<Search aria-hidden />}
        aria-label={t("models.add.search")}
        placeholder={t("models.add.search")}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="overflow-hidden rounded-lg border border-border">
        <div className="flex items-center justify-between gap-4 border-b border-border bg-surface px-4 py-2.5">
          <Checkbox
            label={t("models.add.all")}
            disabled={fresh.length === 0}
            checked={count === 0 ? false : count === fresh.length ? true : "indeterminate"}
            onCheckedChanged={() =>
              choose(
                fresh.map((model) => model.id),
                count < fresh.length,
              )
            }
          />
          <span role="status" className="text-xs text-ink-muted">
            {t("models.found", { count: shown.length })}
          </span>
        </div>
        <ul className="grid max-h-80 divide-y divide-border overflow-y-auto">
          {shown.map((model) => {
            const facts = [
              present.has(model.id) ? t("models.add.present") : null,
              model.display_name,
              model.context_window === null
                ? null
                : t("models.add.context", { tokens: formatNumber(model.context_window) }),
            ].filter(Boolean);
            return (
              <li key={model.id} className="px-4 py-2.5">
                <Checkbox
                  label={<span className="font-mono text-xs wrap-anywhere">{model.id}</span>}
                  description={facts.join(" · ")}
                  disabled={present.has(model.id)}
                  checked={present.has(model.id) || chosen.has(model.id)}
                  onCheckedChanged={(checked) => choose([model.id], checked)}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

export interface ImportListProps {
  slug: string;
  credentialId: string;
  models: readonly Model[];
  onDone: () => void;
}

/** Import several models from the provider's list. */
export function ImportList({ slug, credentialId, models, onDone }: ImportListProps) {
  const { t } = useTranslation();
  const available = useQuery(availableModelsQuery(slug, credentialId));
  const importing = useImportModels(slug);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const present = new Set(
    models
      .filter((model) => model.credential_id === credentialId)
      .map((model) => model.provider_model),
  );
  if (available.isPending) {
    return <ListSkeleton />;
  }
  if (available.isError) {
    return (
      <Alert
        tone="danger"
        title={t("models.add.listFailed")}
        action={
          <Button
            variant="secondary"
            size="sm"
            loading={available.isFetching}
            onClick={() => void available.refetch()}
          >
            {t("ui.retry")}
          </Button>
        }
      >
        {problemMessage(available.error)} {t("models.add.byHandInstead")}
      </Alert>
    );
  }
  if (available.data.length === 0) {
    return <Alert tone="info">{t("models.add.listEmpty")}</Alert>;
  }
  const submit = () =>
    importing.mutate(
      { credentialId, names: [...chosen] },
      {
        onSuccess: (created) => {
          toast.success(t("models.add.imported", { count: created.length }));
          onDone();
        },
      },
    );
  return (
    <div className="grid gap-5">
      <Checklist
        models={available.data}
        present={present}
        chosen={chosen}
        onChosenChanged={setChosen}
      />
      <FormAlert message={importing.error === null ? null : problemMessage(importing.error)} />
      <DialogFooter>
        <Button disabled={chosen.size === 0} loading={importing.isPending} onClick={submit}>
          {t("models.add.import", { count: chosen.size })}
        </Button>
      </DialogFooter>
    </div>
  );
}
