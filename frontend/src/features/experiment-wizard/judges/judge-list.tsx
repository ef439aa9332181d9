import { Plus, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { PriceText } from "@/components/model-prices/price-text";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Button } from "@/components/ui/button";
import { Field, FieldError } from "@/components/ui/field";
import { ModelSelect } from "@/components/model-chooser/model-select";
import type { StepProps } from "../wizard-step";

export const MOST_JUDGES = 5;

interface JudgeRowProps {
  number: number;
  models: readonly Model[];
  judge: string;
  /** The judge is also an answering model; models tend to prefer their own answers. */
  isAnswering: boolean;
  error: string | undefined;
  onJudgeChanged: (judge: string) => void;
  onRemoved: () => void;
}

function JudgeRow(props: JudgeRowProps) {
  const { number, models, judge, isAnswering, error, onJudgeChanged, onRemoved } = props;
  const { t } = useTranslation();
  const model = models.find(({ id }) => id === judge);
  return (
    <li className="flex items-start gap-2">
      <Field
        required
        className="min-w-0 flex-1"
        label={
          <span className="inline-flex flex-wrap items-center gap-2">
            {t("wizard.judges.judge", { number })}
            {model?.is_simulated === true ? <SimulatedBadge /> : null}
          </span>
        }
        error={error}
        hint={
          <span className="flex flex-wrap gap-x-3">
            {model === undefined ? null : <PriceText prices={model.prices} />}
            {isAnswering ? (
              <span className="text-warning">{t("wizard.judges.answersToo")}</span>
            ) : null}
          </span>
        }
      >
        {(control) => (
          <ModelSelect
            {...control}
            models={models}
            chosen={judge}
            placeholder={t("wizard.judges.choose")}
            onChosen={onJudgeChanged}
          />
        )}
      </Field>
      <Button
        variant="ghost"
        iconOnly
        className="mt-6.5"
        aria-label={t("wizard.judges.remove", { number })}
        onClick={onRemoved}
      >
        <Trash2 aria-hidden />
      </Button>
    </li>
  );
}

export interface JudgeListProps extends StepProps<"judges"> {
  models: readonly Model[];
}

/** Judges that score answers on the rubric; the same model may appear more than once. */
export function JudgeList({ models, part, draft, errors, onChanged }: JudgeListProps) {
  const { t } = useTranslation();
  const { judges } = part;
  const answering = new Set(draft.models.models.map(({ model_id }) => model_id));
  const enabled = models.filter(({ is_enabled }) => is_enabled);
  const next =
    enabled.find(({ id }) => !judges.includes(id) && !answering.has(id)) ??
    enabled.find(({ id }) => !judges.includes(id)) ??
    enabled[0];
  return (
    <div className="grid gap-4">
      {judges.length === 0 ? (
        <p className="text-sm text-ink-muted">{t("wizard.judges.none")}</p>
      ) : (
        <ol className="grid gap-4">
          {judges.map((judge, index) => (
            <JudgeRow
              // The same judge may appear twice; only the index is unique.
              key={index}
              number={index + 1}
              models={models}
              judge={judge}
              isAnswering={answering.has(judge)}
              error={errors[`judges.${index}`]}
              onJudgeChanged={(chosen) => onChanged({ judges: judges.with(index, chosen) })}
              onRemoved={() => onChanged({ judges: judges.toSpliced(index, 1) })}
            />
          ))}
        </ol>
      )}
      {errors.judges === undefined ? null : <FieldError>{errors.judges}</FieldError>}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          size="sm"
          disabled={next === undefined || judges.length >= MOST_JUDGES}
          onClick={() => {
            if (next !== undefined) {
              onChanged({ judges: [...judges, next.id] });
            }
          }}
        >
          <Plus aria-hidden />
          {t("wizard.judges.add")}
        </Button>
        <span className="text-xs text-ink-muted">
          {enabled.length === 0
            ? t("wizard.judges.noModels")
            : t("wizard.judges.count", { count: judges.length, most: MOST_JUDGES })}
        </span>
      </div>
    </div>
  );
}
