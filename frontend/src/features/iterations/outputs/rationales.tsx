import { useTranslation } from "react-i18next";
import type { OutputDetail, RunResults } from "@/api/types";
import { ScoreBadge } from "@/components/score-badge";
import { Disclosure } from "@/components/ui/disclosure";

interface Rationale {
  who: string;
  value: number | null;
  rationale: string | null;
}

/** Rationales of an answer by criterion, or by scorer without criteria. */
export function commentsAbout(
  output: OutputDetail,
  results: RunResults | undefined,
): Map<string, Rationale[]> {
  const said = new Map<string, Rationale[]>();
  const add = (name: string, each: Rationale) => said.set(name, [...(said.get(name) ?? []), each]);
  const labelOf = (key: string) => results?.raters.find((rater) => rater.key === key)?.label ?? key;
  for (const score of output.details) {
    const who = labelOf(`s${score.scorer}`);
    const judges = Object.entries(score.judges ?? {});
    for (const [label, judge] of judges) {
      for (const [name, { value, rationale }] of Object.entries(judge.criteria)) {
        add(name, { who: labelOf(`s${score.scorer}:${label}`), value, rationale });
      }
    }
    if (judges.length > 0) {
      continue;
    }
    const criteria = Object.entries(score.criteria ?? {});
    for (const [name, { value, rationale }] of criteria) {
      add(name, { who, value, rationale });
    }
    if (criteria.length === 0) {
      add(who, { who, value: score.value, rationale: score.rationale });
    }
  }
  return said;
}

export interface RationalesProps {
  columns: readonly { key: string; name: string; output: OutputDetail | undefined }[];
  /** For the names of judges. */
  results: RunResults | undefined;
  /** Criterion whose rationales are expanded initially. */
  criterion: string | undefined;
}

function RationaleList({ said }: { said: readonly Rationale[] | undefined }) {
  const { t } = useTranslation();
  if (said === undefined) {
    return <p className="text-sm text-ink-muted">{t("results.noScore")}</p>;
  }
  return (
    <ul className="grid gap-3">
      {said.map(({ who, value, rationale }, at) => (
        <li key={at} className="grid gap-1 text-sm">
          <span className="flex items-center justify-between gap-2 text-xs text-ink-muted">
            <span className="min-w-0 truncate">{who}</span>
            <ScoreBadge label={who} value={value} passed={null} />
          </span>
          <span className="text-pretty wrap-anywhere">
            {rationale === null || rationale === ""
              ? t("iterations.outputs.noRationale")
              : rationale}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Rationales of each criterion, by judge and column. */
export function Rationales({ columns, results, criterion }: RationalesProps) {
  const { t } = useTranslation();
  const said = columns.map(({ output }) =>
    output === undefined ? new Map<string, Rationale[]>() : commentsAbout(output, results),
  );
  const names = [...new Set(said.flatMap((each) => [...each.keys()]))];
  const open = results?.criteria.find(({ key }) => key === criterion)?.name;
  return names.length === 0 ? null : (
    <section aria-label={t("iterations.outputs.rationales")} className="grid gap-2">
      <h2 className="text-sm font-semibold">{t("iterations.outputs.rationales")}</h2>
      {names.map((name) => (
        <Disclosure key={name} label={name} forcedOpen={name === open}>
          <div
            className="grid gap-6 max-md:grid-cols-1!"
            style={{ gridTemplateColumns: `repeat(${columns.length}, minmax(0, 1fr))` }}
          >
            {columns.map((column, at) => (
              <div key={column.key} className="grid content-start gap-2">
                <p className="text-xs font-medium wrap-anywhere">{column.name}</p>
                <RationaleList said={said[at]?.get(name)} />
              </div>
            ))}
          </div>
        </Disclosure>
      ))}
    </section>
  );
}
