import { Check, Plus, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useOrdering } from "@/components/ordering/use-ordering";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FieldError } from "@/components/ui/field";
import { formatDecimal } from "@/lib/format";
import { CriterionCard } from "./criterion-card";
import {
  MOST_CRITERIA,
  newCriterion,
  normalised,
  withEqualWeights,
  sumsToOne,
  weightSum,
  type CriterionDraft,
} from "./criteria";

export interface CriteriaFieldsProps {
  criteria: readonly CriterionDraft[];
  errors: FieldErrors;
  disabled: boolean;
  /** Explains what happens to weights that do not add up to 1. */
  sumHint: string;
  onChanged: (criteria: readonly CriterionDraft[]) => void;
}

/** Current sum of the weights, and two ways to make it 1. */
function Sum({ criteria, disabled, sumHint, onChanged }: CriteriaFieldsProps) {
  const { t } = useTranslation();
  const sum = weightSum(criteria);
  const isOne = sumsToOne(criteria);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-border bg-surface px-4 py-3">
      <p role="status" className="flex min-w-0 flex-1 flex-wrap items-center gap-2 text-sm">
        {t("scorers.rubrics.sum")}
        <Badge
          tone={isOne ? "success" : "warning"}
          icon={isOne ? <Check aria-hidden /> : <TriangleAlert aria-hidden />}
          className="tabular-nums"
        >
          {formatDecimal(sum, 2)}
        </Badge>
        {isOne ? null : <span className="text-xs text-ink-muted">{sumHint}</span>}
      </p>
      {disabled ? null : (
        <div className="flex gap-2">
          <Button
            variant="secondary"
            size="sm"
            disabled={isOne}
            onClick={() => onChanged(normalised(criteria))}
          >
            {t("scorers.rubrics.normalise")}
          </Button>
          <Button variant="ghost" size="sm" onClick={() => onChanged(withEqualWeights(criteria))}>
            {t("scorers.rubrics.spread")}
          </Button>
        </div>
      )}
    </div>
  );
}

export function CriteriaFields(props: CriteriaFieldsProps) {
  const { criteria, errors, disabled, onChanged } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const { move, announcement, drag } = useOrdering({
    list,
    items: criteria,
    announce: (places) => t("scorers.rubrics.moved", places),
    onChanged,
  });
  const own = errors.criteria;
  return (
    <div className="grid gap-4">
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ol ref={list} aria-label={t("scorers.rubrics.criteria")} className="grid gap-4">
        {criteria.map((criterion, index) => (
          <CriterionCard
            key={criterion.key}
            criterion={criterion}
            index={index}
            count={criteria.length}
            errors={errors}
            disabled={disabled}
            dragged={drag.dragged === index}
            handleProps={drag.handleProps(index)}
            onMoved={(to) => move(index, to)}
            onChanged={(next) =>
              onChanged(criteria.map((one) => (one.key === next.key ? next : one)))
            }
            onRemoved={() => onChanged(criteria.filter((one) => one.key !== criterion.key))}
          />
        ))}
      </ol>
      {own === undefined ? null : <FieldError>{own}</FieldError>}
      {disabled ? null : (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            variant="secondary"
            disabled={criteria.length >= MOST_CRITERIA}
            onClick={() => onChanged([...criteria, newCriterion(0)])}
          >
            <Plus aria-hidden />
            {t("scorers.rubrics.add")}
          </Button>
          <span className="text-xs text-ink-muted">
            {t("scorers.rubrics.count", { count: criteria.length, most: MOST_CRITERIA })}
          </span>
        </div>
      )}
      {criteria.length === 0 ? null : <Sum {...props} />}
    </div>
  );
}
