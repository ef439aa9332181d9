import { Link, type LinkProps } from "@tanstack/react-router";
import { ArrowRight, Circle, CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Card, CardHeader } from "@/components/ui/card";
import { Progress } from "@/components/ui/progress";
import { cn } from "@/lib/cn";
import type { HomeSteps } from "./queries";

const STEPS = [
  { key: "has_model", to: "/p/$slug/settings/providers" },
  { key: "has_prompt", to: "/p/$slug/prompts" },
  { key: "has_cases", to: "/p/$slug/datasets" },
  { key: "has_run", to: "/p/$slug/playground" },
  { key: "has_improvement", to: "/p/$slug/experiments/new" },
  { key: "has_monitor", to: "/p/$slug/monitors/new" },
] as const satisfies readonly { key: keyof HomeSteps; to: LinkProps["to"] }[];

/** First steps in a new project. Renders nothing once all are done. */
export function Checklist({ slug, steps }: { slug: string; steps: HomeSteps }) {
  const { t } = useTranslation();
  const done = STEPS.filter(({ key }) => steps[key]).length;
  if (done === STEPS.length) {
    return null;
  }
  const next = STEPS.find(({ key }) => !steps[key]);
  return (
    <Card aria-labelledby="steps-heading">
      <CardHeader
        id="steps-heading"
        title={t("home.steps.title")}
        description={t("home.steps.hint")}
        actions={
          <span className="grid w-28 gap-1.5 text-right text-xs text-ink-muted tabular-nums">
            {t("home.steps.done", { done, total: STEPS.length })}
            <Progress label={t("home.steps.title")} value={(100 * done) / STEPS.length} />
          </span>
        }
      />
      <ol className="mt-3 grid border-t border-border sm:grid-cols-2 xl:grid-cols-3">
        {STEPS.map(({ key, to }) => {
          const isDone = steps[key];
          const Icon = isDone ? CircleCheck : Circle;
          return (
            <li key={key}>
              <Link
                to={to}
                params={{ slug }}
                search={key === "has_model" ? { add: "choose", next: `/p/${slug}` } : {}}
                className="group flex h-full items-start gap-3 px-5 py-3.5 -outline-offset-2 transition-colors hover:bg-surface"
              >
                <Icon
                  aria-hidden
                  className={cn(
                    "mt-0.5 size-4 shrink-0",
                    isDone ? "text-success" : "text-ink-subtle",
                  )}
                />
                <span className="grid min-w-0 flex-1 gap-0.5">
                  <span className={cn("text-sm font-medium", isDone && "text-ink-muted")}>
                    {t(`home.steps.${key}.title`)}
                    <span className="sr-only">{isDone ? `: ${t("home.steps.isDone")}` : null}</span>
                  </span>
                  {isDone ? null : (
                    <span className="text-xs text-pretty text-ink-muted">
                      {t(`home.steps.${key}.hint`)}
                    </span>
                  )}
                </span>
                {next?.key === key ? (
                  <ArrowRight aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-ink" />
                ) : null}
              </Link>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
