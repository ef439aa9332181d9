import { useTranslation } from "react-i18next";
import type { SavedScorerSummary, ScorerKind } from "@/api/types";
import { initialValue, type FormValue } from "@/components/schema-form/schema";
import { errorsBelow, type FieldErrors } from "@/components/schema-form/validate";
import { AddMenu } from "@/components/ui/add-menu";
import type { ScorerDraft } from "./scorer-draft";
import { EarlierScorerCard, SavedScorerCard, ScorerCard } from "./scorer-card";

export interface ScorerFieldsProps {
  slug: string;
  kinds: readonly ScorerKind[];
  saved: readonly SavedScorerSummary[];
  chosen: readonly ScorerDraft[];
  onChosenChanged: (chosen: readonly ScorerDraft[]) => void;
  errors: FieldErrors;
}

/** Scorers of a run or a monitor: saved ones, or ones defined here. */
export function ScorerFields(props: ScorerFieldsProps) {
  const { slug, kinds, saved, chosen, onChosenChanged, errors } = props;
  const { t } = useTranslation();
  const add = (draft: Omit<ScorerDraft, "key">) => {
    const key = Math.max(0, ...chosen.map((old) => old.key)) + 1;
    onChosenChanged([...chosen, { key, ...draft }]);
  };
  const addKind = ({ kind, options_schema }: ScorerKind) =>
    add({
      versionId: null,
      kind,
      options: initialValue(options_schema, options_schema) as FormValue,
      weight: 1,
      threshold: null,
      isNegated: false,
    });
  const addSaved = ({ kind, latest, weight, threshold, is_negated }: SavedScorerSummary) =>
    add({
      versionId: latest.id,
      kind,
      options: {},
      weight,
      threshold,
      isNegated: is_negated,
    });
  return (
    <div className="grid gap-4">
      {chosen.map((draft, index) => {
        const card = {
          slug,
          draft,
          errors: errorsBelow(errors, `scorers.${index}`),
          onChanged: (changed: ScorerDraft) =>
            onChosenChanged(chosen.map((old) => (old.key === draft.key ? changed : old))),
          onRemoved: () => onChosenChanged(chosen.filter((old) => old.key !== draft.key)),
        };
        const scorer = saved.find(({ latest }) => latest.id === draft.versionId);
        if (scorer !== undefined) {
          return <SavedScorerCard key={draft.key} {...card} scorer={scorer} />;
        }
        if (draft.versionId !== null) {
          return <EarlierScorerCard key={draft.key} {...card} />;
        }
        const kind = kinds.find((candidate) => candidate.kind === draft.kind);
        return kind === undefined ? null : <ScorerCard key={draft.key} {...card} kind={kind} />;
      })}
      <div className="flex flex-wrap gap-2">
        <AddMenu
          label={t("runs.new.addSaved")}
          items={saved.map((scorer) => ({
            key: scorer.id,
            title: scorer.name,
            description: `${scorer.kind_title} · ${scorer.latest.label}`,
            onChosen: () => addSaved(scorer),
          }))}
        />
        <AddMenu
          label={t("runs.new.addScorer")}
          items={kinds
            .filter(({ obstacle }) => obstacle === null)
            .map((kind) => ({ ...kind, key: kind.kind, onChosen: () => addKind(kind) }))}
        />
      </div>
    </div>
  );
}
