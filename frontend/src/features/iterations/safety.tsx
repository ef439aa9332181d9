import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RunResults } from "@/api/types";
import { Section } from "@/components/results/section";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Table, type Column } from "@/components/ui/table";

interface Check {
  key: string;
  name: string;
  /** Cases with a finding, by variant. */
  findings: { label: string; count: number }[];
  /** False while no answer has been checked. */
  isDone: boolean;
}

/** Scorers with weight zero are safety checks; a case with score 0 has a finding. */
export function checksOf(results: RunResults): Check[] {
  const scorers = new Set(results.raters.map(({ key }) => key));
  return results.criteria
    .filter(({ key, weight }) => weight === 0 && scorers.has(key))
    .map(({ key, name }) => ({
      key,
      name,
      findings: results.variants.map(({ label, criteria }) => ({
        label,
        count: criteria.find(({ criterion }) => criterion === key)?.distribution.counts[0] ?? 0,
      })),
      isDone: results.variants.some(({ criteria }) =>
        criteria.some(
          ({ criterion, distribution }) =>
            criterion === key && distribution.counts.some((count) => count > 0),
        ),
      ),
    }));
}

export interface SafetyProps {
  results: RunResults;
  /** Opens the answers with findings of a check. */
  onShown: (criterion: string) => void;
}

/** Findings of safety checks, which do not count in the score. */
export function Safety({ results, onShown }: SafetyProps) {
  const { t } = useTranslation();
  const checks = checksOf(results);
  const columns: Column<Check>[] = [
    {
      key: "check",
      header: t("iterations.safety.check"),
      primary: true,
      cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
    },
    {
      key: "findings",
      header: t("iterations.safety.findings"),
      cell: ({ findings, isDone }) => {
        if (!isDone) {
          return <span className="text-ink-subtle">{t("iterations.safety.unknown")}</span>;
        }
        const found = findings.filter(({ count }) => count > 0);
        return found.length === 0 ? (
          <Badge tone="success" icon={<ShieldCheck aria-hidden />}>
            {t("iterations.safety.nothing")}
          </Badge>
        ) : (
          <ul className="grid gap-1">
            {found.map(({ label, count }) => (
              <li key={label} className="flex flex-wrap items-center gap-2">
                <Badge tone="danger" icon={<ShieldAlert aria-hidden />}>
                  {t("results.cases", { count })}
                </Badge>
                <span className="wrap-anywhere text-ink-muted">{label}</span>
              </li>
            ))}
          </ul>
        );
      },
    },
    {
      key: "show",
      header: t("iterations.safety.answers"),
      align: "right",
      cell: ({ key, findings }) =>
        findings.some(({ count }) => count > 0) ? (
          <Button size="sm" variant="secondary" onClick={() => onShown(key)}>
            {t("iterations.safety.show")}
          </Button>
        ) : (
          "–"
        ),
    },
  ];
  return checks.length === 0 ? null : (
    <Section title={t("iterations.safety.title")} hint={t("iterations.safety.hint")}>
      <Table
        caption={t("iterations.safety.title")}
        columns={columns}
        rows={checks}
        rowKey={({ key }) => key}
      />
    </Section>
  );
}
