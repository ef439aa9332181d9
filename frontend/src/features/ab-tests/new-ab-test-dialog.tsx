import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { LoadError } from "@/components/load-error";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { ArmFields } from "./arm-fields";
import { isComplete, requestOf, START, type AbTestDraft } from "./ab-test-draft";
import { datasetChoicesQuery, scorerChoicesQuery } from "./queries";

const RECORDED = "recorded";

export interface NewAbTestDialogProps {
  slug: string;
  onClosed: () => void;
  onCreated: (testId: string) => void;
}

interface PartProps {
  slug: string;
  draft: AbTestDraft;
  change: (part: Partial<AbTestDraft>) => void;
}

function DatasetField({ slug, draft, change }: PartProps) {
  const { t } = useTranslation();
  const datasets = useQuery(datasetChoicesQuery(slug));
  return (
    <Field label={t("abTests.form.answers")} hint={t("abTests.form.answersHint")} required>
      {(control) => (
        <>
          <Select
            {...control}
            value={draft.datasetId ?? RECORDED}
            onValueChanged={(value) => change({ datasetId: value === RECORDED ? null : value })}
            options={[
              { value: RECORDED, label: t("abTests.form.recorded") },
              ...(datasets.data?.items ?? []).map(({ id, name, case_count: count }) => ({
                value: id,
                label: t("abTests.form.dataset", { name, count }),
              })),
            ]}
          />
          <LoadError queries={[datasets]} />
        </>
      )}
    </Field>
  );
}

function ScorerFields({ slug, draft, change }: PartProps) {
  const { t } = useTranslation();
  const scorers = useQuery(scorerChoicesQuery(slug));
  const found = scorers.data?.items;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{t("abTests.form.scorers")}</legend>
      {found?.length === 0 ? (
        <p className="text-sm text-ink-muted">{t("abTests.form.noScorers")}</p>
      ) : null}
      {found?.map(({ id, name, latest, weight }) => (
        <Checkbox
          key={id}
          label={name}
          checked={draft.scorers.some(({ versionId }) => versionId === latest.id)}
          onCheckedChanged={(checked) =>
            change({
              scorers: checked
                ? [...draft.scorers, { versionId: latest.id, weight }]
                : draft.scorers.filter(({ versionId }) => versionId !== latest.id),
            })
          }
        />
      ))}
      <LoadError queries={[scorers]} />
    </fieldset>
  );
}

const NUMBERS = ["pairs", "worthwhile", "budget"] as const;

function PlanFields({ draft, change }: PartProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {NUMBERS.map((name) => (
        <Field
          key={name}
          label={t(`abTests.form.${name}`)}
          hint={t(`abTests.form.${name}Hint`)}
          required={name !== "budget"}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              value={draft[name]}
              onChange={(event) => change({ [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

/** Form of a new A/B test, which is created as a draft. */
export function NewAbTestDialog({ slug, onClosed, onCreated }: NewAbTestDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<AbTestDraft>(START);
  const create = useChange("post", "/projects/{project}/ab-tests", { project: slug });
  const change = (part: Partial<AbTestDraft>) => setDraft((before) => ({ ...before, ...part }));
  const shared = { slug, draft, change };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("abTests.form.title")}
      description={t("abTests.form.description")}
    >
      <DialogForm
        submitLabel={t("abTests.form.create")}
        isSaving={create.isPending}
        disabled={!isComplete(draft)}
        message={create.isError ? problemMessage(create.error) : null}
        onCancelled={onClosed}
        onSubmitted={() =>
          create.mutate({ body: requestOf(draft) }, { onSuccess: ({ id }) => onCreated(id) })
        }
      >
        <Field label={t("abTests.form.name")} required>
          {(control) => (
            <Input
              {...control}
              maxLength={100}
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <ArmFields
          slug={slug}
          title={t("abTests.first")}
          arm={draft.first}
          onChanged={(first) => change({ first })}
        />
        <ArmFields
          slug={slug}
          title={t("abTests.second")}
          arm={draft.second}
          onChanged={(second) => change({ second })}
        />
        <DatasetField {...shared} />
        <ScorerFields {...shared} />
        <PlanFields {...shared} />
      </DialogForm>
    </Dialog>
  );
}
