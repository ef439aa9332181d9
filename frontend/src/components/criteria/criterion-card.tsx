import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { errorsBelow, type FieldErrors } from "@/components/schema-form/validate";
import { MoveHandle } from "@/components/ordering/move-handle";
import type { HandleProps } from "@/components/ordering/use-drag-order";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { cn } from "@/lib/cn";
import { SCALES, type CriterionDraft } from "./criteria";

/** Shorter ones are refused, so the hint is shown. */
const SHORTEST_DESCRIPTION = 10;

export interface CriterionCardProps {
  criterion: CriterionDraft;
  index: number;
  count: number;
  errors: FieldErrors;
  disabled: boolean;
  dragged: boolean;
  handleProps: HandleProps;
  onMoved: (to: number) => void;
  onChanged: (criterion: CriterionDraft) => void;
  onRemoved: () => void;
}

function WeightField(props: CriterionCardProps & { error: string | undefined }) {
  const { criterion, index, disabled, error, onChanged } = props;
  const { t } = useTranslation();
  const set = (text: string) =>
    onChanged({ ...criterion, weight: text === "" ? null : Number(text) });
  return (
    <Field required label={t("scorers.rubrics.weight")} error={error}>
      {(control) => (
        <div className="flex h-10 items-center gap-3">
          <input
            type="range"
            min={0}
            max={1}
            step={0.01}
            aria-label={t("scorers.rubrics.weightOf", { number: index + 1 })}
            className="min-w-0 flex-1 accent-accent-solid"
            disabled={disabled}
            value={Math.min(1, criterion.weight ?? 0)}
            onChange={(event) => set(event.target.value)}
          />
          <Input
            {...control}
            type="number"
            min={0}
            step="any"
            className="w-24 tabular-nums"
            disabled={disabled}
            value={criterion.weight ?? ""}
            onChange={(event) => set(event.target.value)}
          />
        </div>
      )}
    </Field>
  );
}

function CardActions(props: CriterionCardProps) {
  const { criterion, index, count, handleProps, onMoved, onRemoved } = props;
  const { t } = useTranslation();
  const number = index + 1;
  return (
    <div className="flex items-center gap-1 justify-self-end md:pt-7.5">
      <MoveHandle
        itemKey={criterion.key}
        index={index}
        label={t("scorers.rubrics.drag", { number })}
        hint={t("scorers.rubrics.dragHint")}
        handleProps={handleProps}
        onMoved={onMoved}
      />
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        disabled={count === 1}
        aria-label={t("scorers.rubrics.remove", { number })}
        onClick={onRemoved}
      >
        <Trash2 aria-hidden />
      </Button>
    </div>
  );
}

/** Editor of one criterion. */
export function CriterionCard(props: CriterionCardProps) {
  const { criterion, index, errors, disabled, dragged, onChanged } = props;
  const { t } = useTranslation();
  const own = errorsBelow(errors, `criteria.${index}`);
  const isShort = criterion.description.trim().length < SHORTEST_DESCRIPTION;
  return (
    <li
      className={cn(
        "grid min-w-0 gap-3 rounded-xl border border-border bg-raised p-4",
        dragged && "border-accent-solid shadow-lg",
      )}
    >
      <h3 className="sr-only">
        {criterion.name.trim() || t("scorers.rubrics.criterion", { number: index + 1 })}
      </h3>
      <div className="grid items-start gap-x-4 gap-y-3 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_7rem_auto]">
        <Field required label={t("fields.name")} error={own.name}>
          {(control) => (
            <Input
              {...control}
              maxLength={50}
              disabled={disabled}
              placeholder={t("scorers.rubrics.namePlaceholder")}
              value={criterion.name}
              onChange={(event) => onChanged({ ...criterion, name: event.target.value })}
            />
          )}
        </Field>
        <WeightField {...props} error={own.weight} />
        <Field required label={t("scorers.rubrics.scale")} error={own.scale}>
          {(control) => (
            <Select
              {...control}
              disabled={disabled}
              value={criterion.scale}
              options={SCALES.map((scale) => ({ value: scale, label: scale }))}
              onValueChanged={(scale) => onChanged({ ...criterion, scale })}
            />
          )}
        </Field>
        {disabled ? null : <CardActions {...props} />}
      </div>
      <Field
        required
        label={t("fields.description")}
        hint={isShort ? t("scorers.rubrics.descriptionHint") : undefined}
        error={own.description}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={1}
            className="[field-sizing:content] min-h-10"
            maxLength={500}
            disabled={disabled}
            placeholder={t("scorers.rubrics.descriptionPlaceholder")}
            value={criterion.description}
            onChange={(event) => onChanged({ ...criterion, description: event.target.value })}
          />
        )}
      </Field>
    </li>
  );
}
