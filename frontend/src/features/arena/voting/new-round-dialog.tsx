import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { LoadError } from "@/components/load-error";
import { NumberField } from "@/components/number-field";
import { requestProblem } from "@/components/run-estimate/estimate-state";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { formatDate } from "@/lib/format";
import { ROUNDS, votableRunsQuery } from "./queries";

const MOST_PAIRS = 5000;
const MOST_PEOPLE = 20;
const LONGEST_NAME = 200;
const LONGEST_INSTRUCTIONS = 2000;
const USUAL_PAIRS = 50;
const USUAL_TEAM = 3;

interface RoundDraft {
  runId: string;
  name: string;
  instructions: string;
  voters: "alone" | "team";
  people: number;
  pairs: number;
}

interface PartProps {
  draft: RoundDraft;
  change: (part: Partial<RoundDraft>) => void;
}

function RunField({ slug, draft, change }: PartProps & { slug: string }) {
  const { t } = useTranslation();
  const runs = useQuery(votableRunsQuery(slug));
  return (
    <Field required label={t("voting.new.run")} hint={t("voting.new.runHint")}>
      {(control) => (
        <>
          <Select
            {...control}
            value={draft.runId}
            placeholder={t("schemaForm.choose")}
            options={(runs.data ?? []).map((run) => ({
              value: run.id,
              label: run.name,
              description: [
                t("runs.size.cases", { count: run.case_count }),
                t("runs.size.variants", { count: run.variant_count }),
              ].join(" · "),
            }))}
            onValueChanged={(runId) => change({ runId })}
          />
          {runs.data?.length === 0 ? (
            <p className="text-sm text-ink-muted">{t("voting.new.noRuns")}</p>
          ) : null}
          <LoadError queries={[runs]} />
        </>
      )}
    </Field>
  );
}

function VoterFields({ draft, change }: PartProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4">
      <div className="grid justify-items-start gap-1.5">
        <span className="text-sm font-medium">{t("voting.new.voters")}</span>
        <Segmented
          label={t("voting.new.voters")}
          value={draft.voters}
          options={(["alone", "team"] as const).map((value) => ({
            value,
            label: t(`voting.new.voterChoices.${value}`),
          }))}
          onValueChanged={(voters) => change({ voters })}
        />
        <p className="text-xs text-ink-muted">{t(`voting.new.voterHints.${draft.voters}`)}</p>
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <NumberField
          label={t("voting.new.pairs")}
          hint={t("voting.new.pairsHint")}
          value={draft.pairs}
          least={1}
          most={MOST_PAIRS}
          isWhole
          onValueChanged={(pairs) => change({ pairs })}
        />
        {draft.voters === "alone" ? null : (
          <NumberField
            label={t("voting.new.people")}
            value={draft.people}
            least={1}
            most={MOST_PEOPLE}
            isWhole
            onValueChanged={(people) => change({ people })}
          />
        )}
      </div>
    </div>
  );
}

export interface NewRoundDialogProps {
  slug: string;
  /** The run to vote on, chosen beforehand. */
  run: string | undefined;
  onClosed: () => void;
  onCreated: (roundId: string) => void;
}

/** Starts a round of blind votes on the answers of a completed run. */
export function NewRoundDialog({ slug, run, onClosed, onCreated }: NewRoundDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<RoundDraft>(() => ({
    runId: run ?? "",
    // Not the name of the run, which may tell the models.
    name: t("voting.new.usualName", { day: formatDate(new Date().toISOString()) }),
    instructions: "",
    voters: "alone",
    people: USUAL_TEAM,
    pairs: USUAL_PAIRS,
  }));
  const create = useChange("post", ROUNDS, { project: slug });
  const change = (part: Partial<RoundDraft>) => setDraft((before) => ({ ...before, ...part }));
  const instructions = draft.instructions.trim();
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      title={t("voting.new.title")}
      description={t("voting.new.description")}
    >
      <DialogForm
        submitLabel={t("voting.new.submit")}
        isSaving={create.isPending}
        disabled={draft.runId === "" || draft.name.trim() === ""}
        message={create.isError ? requestProblem(create.error) : null}
        onCancelled={onClosed}
        onSubmitted={() =>
          create.mutate(
            {
              body: {
                run_id: draft.runId,
                name: draft.name.trim(),
                instructions: instructions === "" ? null : instructions,
                people_per_match: draft.voters === "alone" ? 1 : draft.people,
                matches: draft.pairs,
              },
            },
            { onSuccess: ({ id }) => onCreated(id) },
          )
        }
      >
        <RunField slug={slug} draft={draft} change={change} />
        <Field required label={t("fields.name")} hint={t("voting.new.nameHint")}>
          {(control) => (
            <Input
              {...control}
              maxLength={LONGEST_NAME}
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <VoterFields draft={draft} change={change} />
        <Field label={t("voting.new.instructions")}>
          {(control) => (
            <Textarea
              {...control}
              maxLength={LONGEST_INSTRUCTIONS}
              value={draft.instructions}
              onChange={(event) => change({ instructions: event.target.value })}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  );
}
