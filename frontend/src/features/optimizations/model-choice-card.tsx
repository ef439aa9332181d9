import { useTranslation } from "react-i18next";
import type { CheaperModels } from "@/api/types";
import { Section } from "@/components/results/section";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Table, type Column } from "@/components/ui/table";
import { formatPercent, formatUsd } from "@/lib/format";
import { useCandidateWords } from "./candidate-table";

/** The recommended model, or that there is none, in one sentence. */
export function useModelChoiceSentence() {
  const { t } = useTranslation();
  const { nameOf } = useCandidateWords();
  return (choice: CheaperModels) => {
    const chosen = choice.trials.find(({ model_id: id }) => id === choice.chosen);
    const { incumbent } = choice;
    const margin = outOfTen(choice.margin);
    return chosen === undefined
      ? t("optimizations.modelChoice.none", { incumbent, margin })
      : t("optimizations.modelChoice.chosen", {
          model: chosen.name,
          prompt: nameOf(choice.candidate),
          incumbent,
          margin,
          saving: formatPercent(choice.saving ?? 0),
        });
  };
}

type CheaperModel = CheaperModels["trials"][number];

function differenceWords({ difference, low, high }: CheaperModel): string {
  if (difference === null) {
    return "—";
  }
  return low === null || high === null
    ? changeOutOfTen(difference)
    : `${changeOutOfTen(difference)} (${changeOutOfTen(low)} … ${changeOutOfTen(high)})`;
}

function perThousand(costPerAnswer: string): string {
  return formatUsd(String(1000 * Number(costPerAnswer)));
}

function wordOf(isAsGood: boolean | null) {
  if (isAsGood === null) {
    return "untested";
  }
  return isAsGood ? "asGood" : "notShown";
}

/** What the test on held-out cases says about cheaper models. */
export function ModelChoiceCard({ choice }: { choice: CheaperModels | null }) {
  const { t } = useTranslation();
  const sentence = useModelChoiceSentence();
  if (choice === null) {
    return null;
  }
  const columns: Column<CheaperModel>[] = [
    {
      key: "model",
      header: t("optimizations.modelChoice.model"),
      primary: true,
      cell: ({ name }) => <span className="xl:whitespace-nowrap">{name}</span>,
    },
    {
      key: "cost",
      header: t("optimizations.modelChoice.cost"),
      cell: ({ cost_usd: cost }) => (
        <span className="grid whitespace-nowrap tabular-nums">
          {perThousand(cost)}
          <span className="text-xs text-ink-muted">
            {t("optimizations.modelChoice.instead", { cost: perThousand(choice.cost_usd) })}
          </span>
        </span>
      ),
    },
    {
      key: "difference",
      header: t("optimizations.modelChoice.difference"),
      cell: (trial) => (
        <span className="tabular-nums xl:whitespace-nowrap">{differenceWords(trial)}</span>
      ),
    },
    {
      key: "verdict",
      header: t("optimizations.modelChoice.verdict"),
      cell: ({ is_as_good: isAsGood, model_id: id, reason }) => (
        <span className="grid justify-items-start gap-1 max-lg:justify-items-end">
          <Badge
            tone={id === choice.chosen ? "success" : isAsGood === true ? "outline" : "neutral"}
          >
            {t(
              `optimizations.modelChoice.${id === choice.chosen ? "recommended" : wordOf(isAsGood)}`,
            )}
          </Badge>
          <span className="text-xs text-ink-muted">{reason}</span>
        </span>
      ),
    },
  ];
  return (
    <Section title={t("optimizations.modelChoice.title")} hint={sentence(choice)}>
      <Table
        caption={t("optimizations.modelChoice.title")}
        columns={columns}
        rows={choice.trials}
        rowKey={({ model_id: id }) => id}
      />
    </Section>
  );
}
