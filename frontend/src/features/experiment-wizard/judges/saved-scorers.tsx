import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { savedScorersQuery } from "@/api/scorers";
import type { SavedScorerSummary } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { CardHead } from "@/components/scorer-options/card-head";
import { SavedScorerHead } from "@/components/scorer-options/saved-scorer-head";
import { AddMenu } from "@/components/ui/add-menu";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FieldError } from "@/components/ui/field";
import { StepSection } from "../step-section";
import type { StepProps } from "../wizard-step";

interface ChosenProps {
  slug: string;
  scorer: SavedScorerSummary | undefined;
  error: string | undefined;
  onRemoved: () => void;
}

/** Older versions and archived scorers are known only by id. */
function Chosen({ slug, scorer, error, onRemoved }: ChosenProps) {
  const { t } = useTranslation();
  return (
    <Card className="grid gap-3 p-4">
      {scorer === undefined ? (
        <CardHead
          title={t("wizard.judges.otherVersion")}
          description={t("wizard.judges.otherVersionHint")}
          badges={null}
          onRemoved={onRemoved}
        />
      ) : (
        <SavedScorerHead slug={slug} scorer={scorer} onRemoved={onRemoved} />
      )}
      {error === undefined ? null : <FieldError>{error}</FieldError>}
    </Card>
  );
}

/** Saved scorers used besides the judges, with their own weights. */
export function SavedScorers({ slug, part, errors, onChanged }: StepProps<"judges">) {
  const { t } = useTranslation();
  const choices = useQuery(savedScorersQuery(slug));
  const saved = choices.data ?? [];
  const chosen = part.scorer_version_ids;
  const free = saved.filter(({ latest }) => !chosen.includes(latest.id));
  return (
    <StepSection
      title={t("wizard.judges.scorersTitle")}
      description={t("wizard.judges.scorersHint")}
    >
      {chosen.map((versionId, index) => (
        <Chosen
          key={versionId}
          slug={slug}
          scorer={saved.find(({ latest }) => latest.id === versionId)}
          error={errors[`scorer_version_ids.${index}`]}
          onRemoved={() => onChanged({ scorer_version_ids: chosen.toSpliced(index, 1) })}
        />
      ))}
      <LoadError queries={[choices]} />
      <div className="flex flex-wrap items-center gap-3">
        <AddMenu
          label={t("wizard.judges.addScorer")}
          items={free.map(({ latest, name, kind_title }) => ({
            key: latest.id,
            title: name,
            description: kind_title,
            onChosen: () => onChanged({ scorer_version_ids: [...chosen, latest.id] }),
          }))}
        />
        {choices.data?.length === 0 ? (
          <Button asChild variant="ghost" size="sm">
            <Link to="/p/$slug/scorers" params={{ slug }}>
              {t("wizard.judges.noScorers")}
            </Link>
          </Button>
        ) : null}
      </div>
    </StepSection>
  );
}
