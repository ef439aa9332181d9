import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelChoice } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { NumberField } from "@/components/number-field";
import { adviceNames, type AdvisedModel } from "@/components/results/model-advice";
import { formatScore } from "@/components/score-scale";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { recommendQuery, type Requirement } from "./queries";

const START: Requirement = { quality: 0.8, cost: null };
const MOST_COST = 1_000_000;

interface RecommendFormProps {
  slug: string;
  models: readonly AdvisedModel[];
}

function Answer({ choice, models }: { choice: ModelChoice; models: readonly AdvisedModel[] }) {
  const { t } = useTranslation();
  const { name } = adviceNames(choice, models);
  const { score, low, high } = choice;
  return (
    <Alert tone={name === null ? "info" : "success"}>
      <strong>{name ?? t("modelAdvice.cannotTell")}</strong>
      {". "}
      {t(`modelAdvice.reasons.${choice.reason}`, {
        count: choice.cases,
        leading: adviceNames(choice, models).leading,
        others: "",
        share: "",
      })}{" "}
      {score === null || low === null || high === null
        ? null
        : t("models.which.score", {
            score: formatScore(score),
            low: formatScore(low),
            high: formatScore(high),
            count: choice.cases,
          })}
    </Alert>
  );
}

/** Recommends the cheapest model that is proven good enough. */
export function RecommendForm({ slug, models }: RecommendFormProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(START);
  const [asked, setAsked] = useState<Requirement | null>(null);
  const choice = useQuery({
    ...recommendQuery(slug, asked ?? START),
    enabled: asked !== null,
  });
  const isValid = draft.quality >= 0 && draft.quality <= 1 && (draft.cost ?? 0) >= 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) {
          setAsked(draft);
        }
      }}
      className="grid gap-4"
      aria-label={t("models.which.recommend")}
    >
      <div className="flex flex-wrap items-end gap-4">
        <NumberField
          label={t("models.which.quality")}
          value={draft.quality}
          onValueChanged={(quality) => setDraft({ ...draft, quality })}
          least={0}
          most={10}
          scale={10}
          unit={t("models.which.ofTen")}
        />
        <NumberField
          label={t("models.which.cost")}
          value={draft.cost}
          onValueChanged={(cost) => setDraft({ ...draft, cost })}
          least={0}
          most={MOST_COST}
          placeholder={t("models.which.anyCost")}
          unit="$"
        />
        <Button type="submit" variant="secondary" disabled={!isValid} loading={choice.isFetching}>
          {t("models.which.recommend")}
        </Button>
      </div>
      {asked === null || choice.data === undefined ? null : (
        <Answer choice={choice.data} models={models} />
      )}
      <LoadError queries={[choice]} />
    </form>
  );
}
