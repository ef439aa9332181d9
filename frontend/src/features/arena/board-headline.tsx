import { CircleCheck, CircleHelp, Info, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Board, BoardHeadline, BoardRow } from "@/api/arena";
import { changeOutOfTen } from "@/components/score-scale";
import { formatPercent, formatPValue } from "@/lib/format";
import { locale } from "@/lib/locale";

const SHOWN_NAMES = 3;
const LIST = new Intl.ListFormat(locale, { type: "conjunction" });

function useNames(rows: readonly BoardRow[]) {
  const { t } = useTranslation();
  const nameOf = (id: string | null) => rows.find((row) => row.model_id === id)?.name ?? "";
  const list = (ids: readonly string[]) => {
    const names = ids.map(nameOf).filter((name) => name !== "");
    const more = names.length - SHOWN_NAMES;
    const shown =
      more > 0
        ? [...names.slice(0, SHOWN_NAMES), t("arena.headline.more", { count: more })]
        : names;
    return LIST.format(shown);
  };
  return { nameOf, list };
}

/** The decision in one sentence. */
function useDecision({ headline, rows }: Board): string {
  const { t } = useTranslation();
  const { nameOf, list } = useNames(rows);
  const { decision, cases: count } = headline;
  const name = nameOf(headline.leading_id);
  if (decision === "not_separated" && headline.cheapest_id !== null) {
    return t("arena.headline.not_separated_cheaper", {
      count,
      names: list([headline.leading_id ?? "", ...headline.tied_ids]),
      cheap: nameOf(headline.cheapest_id),
      share: formatPercent(headline.saving ?? 0),
      name,
    });
  }
  return t(`arena.headline.${decision}`, {
    count,
    name,
    names: list([headline.leading_id ?? "", ...headline.tied_ids]),
  });
}

const ICONS: Partial<Record<BoardHeadline["decision"], LucideIcon>> = {
  separated: CircleCheck,
  not_separated: CircleHelp,
};

/** What the board shows, with the evidence. */
export function BoardHeadlineCard({ board }: { board: Board }) {
  const { t } = useTranslation();
  const { headline, rows } = board;
  const { nameOf } = useNames(rows);
  const sentence = useDecision(board);
  const Icon = ICONS[headline.decision] ?? Info;
  const { difference, low, high, p_value: p } = headline;
  return (
    <section
      aria-label={t("arena.headline.label")}
      className="flex items-start gap-3 rounded-xl border border-border bg-raised p-5"
    >
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-ink" />
      <div className="grid min-w-0 gap-1">
        <p className="text-base font-semibold text-pretty wrap-anywhere">{sentence}</p>
        {difference === null || low === null || high === null ? null : (
          <p className="text-sm wrap-anywhere text-ink-muted">
            {t("arena.headline.evidence", {
              leading: nameOf(headline.leading_id),
              rival: nameOf(headline.rival_id),
              difference: changeOutOfTen(difference),
              low: changeOutOfTen(low),
              high: changeOutOfTen(high),
            })}{" "}
            {p === null ? null : t("arena.headline.pValue", { p: formatPValue(p) })}
          </p>
        )}
        <p className="text-sm text-ink-muted">
          {t("arena.headline.basis", {
            count: board.runs,
            cases: board.cases,
            all: board.all_cases,
          })}{" "}
          {board.older_runs === 0
            ? null
            : t("arena.headline.olderRuns", { count: board.older_runs })}
        </p>
      </div>
    </section>
  );
}
