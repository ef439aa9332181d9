import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { CriterionBody } from "@/api/types";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDebounced } from "@/lib/hooks";
import { rubricPreviewQuery } from "./rubric-queries";

function Text({ title, text }: { title: string; text: string }) {
  return (
    <section className="grid gap-1.5">
      <h3 className="text-xs font-medium text-ink-muted">{title}</h3>
      <pre
        tabIndex={0}
        aria-label={title}
        className="max-h-96 overflow-auto rounded-md bg-surface p-3 text-xs wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
    </section>
  );
}

/** Live preview of the text a judge receives. */
export function RubricPreview({ slug, criteria }: { slug: string; criteria: CriterionBody[] }) {
  const { t } = useTranslation();
  const rested = useDebounced(JSON.stringify(criteria), 500);
  const preview = useQuery(rubricPreviewQuery(slug, JSON.parse(rested) as CriterionBody[]));
  return (
    <Card aria-labelledby="rubric-preview" className="xl:sticky xl:top-20">
      <CardHeader
        id="rubric-preview"
        title={t("scorers.rubrics.preview")}
        description={t("scorers.rubrics.previewHint")}
      />
      <CardContent className="grid gap-4">
        {preview.isPending ? (
          <LoadingStatus>
            <Skeleton className="h-40" />
          </LoadingStatus>
        ) : preview.isError ? (
          <p className="text-sm text-ink-muted">
            {asProblem(preview.error).status === 400
              ? t("scorers.rubrics.unfinished")
              : problemMessage(preview.error)}
          </p>
        ) : (
          <>
            <Text title={t("scorers.bench.system")} text={preview.data.system} />
            <Text title={t("scorers.bench.question")} text={preview.data.question} />
          </>
        )}
      </CardContent>
    </Card>
  );
}
