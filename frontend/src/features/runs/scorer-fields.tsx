import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Model, ScorerKind } from "@/api/types";
import { initialValue, withChoices, type FormValue } from "@/components/schema-form/schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FieldError } from "@/components/ui/field";
import { Menu, MenuItem } from "@/components/ui/dropdown-menu";
import { i18n } from "@/lib/i18n";
import { errorsBelow, type ScorerDraft } from "./run-draft";

/** What every scorer of a run has besides its own options. */
function commonSchema() {
  return {
    type: "object",
    properties: {
      weight: {
        type: "number",
        minimum: 0,
        title: i18n.t("runs.new.weight"),
        description: i18n.t("runs.new.weightHint"),
      },
      threshold: {
        type: ["number", "null"],
        minimum: 0,
        maximum: 1,
        title: i18n.t("runs.new.threshold"),
        description: i18n.t("runs.new.thresholdHint"),
      },
      isNegated: { type: "boolean", title: i18n.t("runs.new.negated"), "x-advanced": true },
    },
  };
}

interface ScorerCardProps {
  kind: ScorerKind;
  models: readonly Model[];
  draft: ScorerDraft;
  errors: FieldErrors;
  onChanged: (draft: ScorerDraft) => void;
  onRemoved: () => void;
}

function ScorerCard({ kind, models, draft, errors, onChanged, onRemoved }: ScorerCardProps) {
  const { t } = useTranslation();
  const schema = withChoices(kind.options_schema, {
    model: models
      .filter((model) => model.is_enabled)
      .map((model) => ({ id: model.id, name: model.display_name })),
  });
  const hasOptions = Object.keys(schema.properties ?? {}).length > 0;
  const { options: own, ...common } = errors;
  return (
    <Card className="grid gap-4 p-4">
      <div className="flex items-start gap-3">
        <div className="grid min-w-0 flex-1 gap-0.5">
          <h3 className="flex flex-wrap items-center gap-2 text-sm font-semibold">
            {kind.title}
            {kind.cost_class === "llm_call" ? (
              <Badge tone="warning">{t("runs.new.costs")}</Badge>
            ) : null}
            {kind.needs_expected ? (
              <Badge tone="outline">{t("runs.new.needsExpected")}</Badge>
            ) : null}
          </h3>
          <p className="text-xs text-ink-muted">{kind.description}</p>
        </div>
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          aria-label={t("runs.new.removeScorer", { name: kind.title })}
          onClick={onRemoved}
        >
          <Trash2 aria-hidden />
        </Button>
      </div>
      {hasOptions ? (
        <SchemaForm
          columns={2}
          schema={schema}
          value={draft.options}
          errors={errorsBelow(errors, "options")}
          onValueChanged={(options) => onChanged({ ...draft, options })}
        />
      ) : null}
      <SchemaForm
        columns={2}
        schema={commonSchema()}
        value={{ weight: draft.weight, threshold: draft.threshold, isNegated: draft.isNegated }}
        errors={common}
        onValueChanged={(value) => onChanged({ ...draft, ...(value as Partial<ScorerDraft>) })}
      />
      {own === undefined ? null : <FieldError>{own}</FieldError>}
    </Card>
  );
}

export interface ScorerFieldsProps {
  kinds: readonly ScorerKind[];
  models: readonly Model[];
  chosen: readonly ScorerDraft[];
  onChosenChanged: (chosen: readonly ScorerDraft[]) => void;
  errors: FieldErrors;
}

/** How the answers are scored. The form of each kind comes from the kind itself. */
export function ScorerFields(props: ScorerFieldsProps) {
  const { kinds, models, chosen, onChosenChanged, errors } = props;
  const { t } = useTranslation();
  const [nextKey, setNextKey] = useState(1);
  const add = ({ kind, options_schema }: ScorerKind) => {
    const options = initialValue(options_schema, options_schema) as FormValue;
    onChosenChanged([
      ...chosen,
      { key: nextKey, kind, options, weight: 1, threshold: null, isNegated: false },
    ]);
    setNextKey(nextKey + 1);
  };
  return (
    <div className="grid gap-4">
      {chosen.map((draft, index) => {
        const kind = kinds.find((candidate) => candidate.kind === draft.kind);
        return kind === undefined ? null : (
          <ScorerCard
            key={draft.key}
            kind={kind}
            models={models}
            draft={draft}
            errors={errorsBelow(errors, `scorers.${index}`)}
            onChanged={(changed) =>
              onChosenChanged(chosen.map((old) => (old.key === draft.key ? changed : old)))
            }
            onRemoved={() => onChosenChanged(chosen.filter((old) => old.key !== draft.key))}
          />
        );
      })}
      <div>
        <Menu
          align="start"
          className="w-80"
          trigger={
            <Button variant="secondary" size="sm" disabled={kinds.length === 0}>
              <Plus aria-hidden />
              {t("runs.new.addScorer")}
            </Button>
          }
        >
          {kinds.map((kind) => (
            <MenuItem key={kind.kind} onSelect={() => add(kind)}>
              <span className="grid">
                {kind.title}
                <span className="text-xs text-ink-muted">{kind.description}</span>
              </span>
            </MenuItem>
          ))}
        </Menu>
      </div>
    </div>
  );
}
