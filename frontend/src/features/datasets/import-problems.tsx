import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ImportPreview } from "@/api/types";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/lib/format";
import type { DatasetAddress } from "@/api/case-imports";
import { problemsAddress } from "./import-queries";

const AT_ONCE = 10;

export interface ImportProblemsProps {
  at: DatasetAddress;
  importId: string;
  preview: ImportPreview;
}

/** First problems with line numbers, ten at a time; all of them as a download. */
export function ImportProblems({ at, importId, preview }: ImportProblemsProps) {
  const { t } = useTranslation();
  const [page, setPage] = useState(0);
  const pages = Math.ceil(preview.problems.length / AT_ONCE);
  const shownPage = Math.min(page, Math.max(0, pages - 1));
  const shown = preview.problems.slice(shownPage * AT_ONCE, (shownPage + 1) * AT_ONCE);
  const untold = preview.problem_count - preview.problems.length;
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
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-border bg-surface px-4 py-2 text-xs text-ink-muted">
        <a
          href={problemsAddress(at, importId)}
          download
          className="flex items-center gap-1.5 rounded-sm font-medium text-accent-ink hover:underline"
        >
          <Download aria-hidden className="size-3.5" />
          {t("datasets.import.allProblems", {
            count: preview.problem_count,
            number: formatNumber(preview.problem_count),
          })}
        </a>
        {pages > 1 ? (
          <span className="flex items-center gap-2">
            <span role="status">
              {t("datasets.import.problemPage", { page: shownPage + 1, pages })}
              {untold > 0 ? ` ${t("datasets.import.moreProblems", { count: untold })}` : ""}
            </span>
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
        ) : null}
      </div>
    </div>
  );
}
