import { queryOptions } from "@tanstack/react-query";
import { pages, query } from "@/api/queries";

const PAGE_SIZE = 50;
/** While judges are at work. Milliseconds. */
const POLL_EVERY = 3000;

/** `origin` of runs that judge questions. */
export const ORIGIN = "questions";
const RUN = "/projects/{project}/runs/{run_id}";

export const criteriaQuery = (slug: string) =>
  query("/projects/{project}/arena/question-criteria", { project: slug }, { staleTime: Infinity });

export interface JudgingFilters {
  q?: string | undefined;
}

/** Runs that judged questions, the newest first. */
export const judgingsQuery = (slug: string, filters: JudgingFilters) =>
  pages(
    "/projects/{project}/runs",
    { project: slug, query: { ...filters, origin: ORIGIN, limit: PAGE_SIZE } },
    { keepPrevious: true },
  );

export const reportQuery = (slug: string, runId: string, isWorking: boolean) =>
  queryOptions({
    ...query(
      `${RUN}/questions`,
      { project: slug, run_id: runId },
      { keepPrevious: true, retry: false },
    ),
    refetchInterval: isWorking ? POLL_EVERY : false,
  });

export const QUESTION_ORDERS = ["weakest", "disagreement", "position"] as const;

export interface QuestionView {
  order?: (typeof QUESTION_ORDERS)[number] | undefined;
  weak?: "yes" | undefined;
  generator?: string | undefined;
}

export const questionsQuery = (slug: string, runId: string, view: QuestionView) =>
  pages(
    `${RUN}/questions/rows`,
    {
      project: slug,
      run_id: runId,
      query: {
        limit: PAGE_SIZE,
        ...(view.order === undefined ? {} : { order: view.order }),
        ...(view.weak === undefined ? {} : { is_weak: true }),
        ...(view.generator === undefined ? {} : { generator: view.generator }),
      },
    },
    { keepPrevious: true, retry: false },
  );
