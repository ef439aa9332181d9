import { Link } from "@tanstack/react-router";
import { SquareArrowOutUpRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useQuery } from "@tanstack/react-query";
import { experimentQuery } from "@/api/experiments";
import type { ExperimentReport } from "@/api/types";
import type { EditorLanguage } from "@/components/editor/extensions";
import { MergeView } from "@/components/editor/merge-view";
import { Section } from "@/components/results/section";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Segmented } from "@/components/ui/segmented";

const LANGUAGE: EditorLanguage = { kind: "template", syntax: "double" };

/** Text of the best version, with its diff to the first one. */
export function BestText({ slug, report }: { slug: string; report: ExperimentReport }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<"text" | "changes">("text");
  const promptId = useQuery(experimentQuery(slug, report.id)).data?.prompt_id ?? null;
  const { best, best_text: text, first_text: first } = report;
  if (best === null || text === null) {
    return null;
  }
  return (
    <Section
      title={t("experiments.report.text", { version: best.version_label })}
      actions={
        <div className="flex flex-wrap items-center gap-2">
          {report.diff === "" ? null : (
            <Segmented
              label={t("experiments.report.view")}
              value={shown}
              options={(["text", "changes"] as const).map((value) => ({
                value,
                label: t(`experiments.report.views.${value}`),
              }))}
              onValueChanged={setShown}
            />
          )}
          <CopyButton
            withLabel
            variant="secondary"
            text={text}
            label={t("experiments.report.copy")}
          />
          {promptId === null ? null : (
            <Button asChild variant="secondary" size="sm">
              <Link
                to="/p/$slug/prompts/$promptId"
                params={{ slug, promptId }}
                search={{ history: true }}
              >
                <SquareArrowOutUpRight aria-hidden />
                {t("experiments.best.open")}
              </Link>
            </Button>
          )}
        </div>
      }
    >
      {shown === "changes" && first !== null ? (
        <MergeView
          before={first}
          after={text}
          beforeLabel={t("experiments.report.places.first")}
          afterLabel={best.version_label}
          mode="unified"
          collapsed={false}
          language={LANGUAGE}
        />
      ) : (
        <pre
          tabIndex={0}
          aria-label={t("experiments.report.text", { version: best.version_label })}
          className="max-h-128 overflow-auto rounded-lg border border-border bg-surface p-4 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
        >
          {text}
        </pre>
      )}
    </Section>
  );
}
