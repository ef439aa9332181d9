import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ComparerKind, CostClass } from "@/api/types";
import { initialValue, type FormValue } from "@/components/schema-form/schema";
import { errorsBelow, type FieldErrors } from "@/components/schema-form/validate";
import { CostBadge } from "@/components/scorer-options/cost-badge";
import { ScorerOptions } from "@/components/scorer-options/scorer-options";
import { Card } from "@/components/ui/card";
import { FieldError } from "@/components/ui/field";
import { Switch } from "@/components/ui/switch";
import { AddMenu } from "@/components/ui/add-menu";
import { CardHead } from "@/components/scorer-options/card-head";
import type { ComparerDraft } from "./run-draft";

export interface ComparerFieldsProps {
  slug: string;
  kinds: readonly ComparerKind[];
  chosen: readonly ComparerDraft[];
  onChosenChanged: (chosen: readonly ComparerDraft[]) => void;
  errors: FieldErrors;
}

/** Pairwise comparers of a run. */
export function ComparerFields(props: ComparerFieldsProps) {
  const { slug, kinds, chosen, onChosenChanged, errors } = props;
  const { t } = useTranslation();
  const [nextKey, setNextKey] = useState(1);
  const add = ({ kind, options_schema }: ComparerKind) => {
    const options = initialValue(options_schema, options_schema) as FormValue;
    onChosenChanged([...chosen, { key: nextKey, kind, options, isAgainstFirst: false }]);
    setNextKey(nextKey + 1);
  };
  const change = (changed: ComparerDraft) =>
    onChosenChanged(chosen.map((old) => (old.key === changed.key ? changed : old)));
  return (
    <div className="grid gap-4">
      {chosen.map((draft, index) => {
        const kind = kinds.find((candidate) => candidate.kind === draft.kind);
        const own = errorsBelow(errors, `comparers.${index}`);
        const refused = own.options ?? own.kind ?? own.baseline;
        return kind === undefined ? null : (
          <Card key={draft.key} className="grid gap-4 p-4">
            <CardHead
              title={kind.title}
              description={kind.description}
              badges={<CostBadge cost={kind.cost_class as CostClass} />}
              onRemoved={() => onChosenChanged(chosen.filter(({ key }) => key !== draft.key))}
            />
            <ScorerOptions
              slug={slug}
              kind={kind}
              value={draft.options}
              errors={errorsBelow(own, "options")}
              onValueChanged={(options) => change({ ...draft, options })}
            />
            <Switch
              label={t("runs.new.againstFirst")}
              description={t("runs.new.againstFirstHint")}
              checked={draft.isAgainstFirst}
              onCheckedChanged={(isAgainstFirst) => change({ ...draft, isAgainstFirst })}
            />
            {refused === undefined ? null : <FieldError>{refused}</FieldError>}
          </Card>
        );
      })}
      <div>
        <AddMenu
          label={t("runs.new.addComparer")}
          items={kinds.map((kind) => ({ ...kind, key: kind.kind, onChosen: () => add(kind) }))}
        />
      </div>
    </div>
  );
}
