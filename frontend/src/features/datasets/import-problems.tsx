import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ImportPreview } from "@/api/types";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/lib/format";

const AT_ONCE = 10;

/** Every bad row with its line, ten at a time. */
export function ImportProblems({ preview }: { preview: ImportPreview }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(0);
  const pages = Math.ceil(preview.problems.length / AT_ONCE);
  const shownPage = Math.min(page, Math.max(0, pages - 1));
  const shown = preview.problems.slice(shownPage * AT_ONCE, (shownPage + 1) * AT_ONCE);
  const untold = preview.bad_rows - preview.problems.length;
  if (preview.problems.length === 0) {
    return null;
  }
  return (
    <div className="overflow-hidden rounded-lg border border-border">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{t("datasets.import.problems")}</caption>
        <thead>
          <tr className="border-b border-border bg-surface text-xs text-ink-muted">
            <th scope="col" className="w-20 px-4 py-2 font-medium">
              {t("datasets.import.line")}
            </th>
            <th scope="col" className="w-40 px-4 py-2 font-medium max-sm:hidden">
              {t("datasets.import.column")}
            </th>
            <th scope="col" className="px-4 py-2 font-medium">
              {t("datasets.import.problem")}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((problem, index) => (
            <tr key={`${problem.line}-${index}`} className="border-b border-border last:border-b-0">
              <td className="px-4 py-2 align-top tabular-nums">{formatNumber(problem.line)}</td>
              <td className="px-4 py-2 align-top font-mono text-xs wrap-anywhere max-sm:hidden">
                {problem.column ?? "–"}
              </td>
              <td className="px-4 py-2 wrap-anywhere">{problem.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {pages > 1 || untold > 0 ? (
        <div className="flex flex-wrap items-center justify-between gap-2 border-t border-border bg-surface px-4 py-2 text-xs text-ink-muted">
          <span role="status">
            {t("datasets.import.problemPage", { page: shownPage + 1, pages })}
            {untold > 0 ? ` ${t("datasets.import.moreProblems", { count: untold })}` : ""}
          </span>
          <span className="flex gap-2">
            <Button
              variant="secondary"
              size="sm"
              disabled={shownPage === 0}
              onClick={() => setPage(shownPage - 1)}
            >
              {t("datasets.import.previous")}
            </Button>
            <Button
              variant="secondary"
              size="sm"
              disabled={shownPage >= pages - 1}
              onClick={() => setPage(shownPage + 1)}
            >
              {t("datasets.import.next")}
            </Button>
          </span>
        </div>
      ) : null}
    </div>
  );
}
