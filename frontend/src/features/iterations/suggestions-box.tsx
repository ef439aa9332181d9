import { Link } from "@tanstack/react-router";
import { Check, CircleSlash, Clock, GitPullRequestArrow, PencilLine, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Iteration, Project } from "@/api/types";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { atLeast } from "@/lib/permissions";
import { OwnEditLink } from "./own-edit-link";

type Brief = Iteration["suggestions"][number];

const LOOKS: Record<Brief["state"], { tone: BadgeTone; Icon: typeof Check }> = {
  pending: { tone: "accent", Icon: Clock },
  approved: { tone: "success", Icon: Check },
  edited: { tone: "success", Icon: PencilLine },
  rejected: { tone: "danger", Icon: X },
  superseded: { tone: "neutral", Icon: CircleSlash },
};

function SuggestionRow({ slug, suggestion }: { slug: string; suggestion: Brief }) {
  const { t } = useTranslation();
  const { tone, Icon } = LOOKS[suggestion.state];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 text-sm">
      <Link
        to="/p/$slug/reviews/$suggestionId"
        params={{ slug, suggestionId: suggestion.id }}
        className="rounded-sm font-medium hover:text-accent-ink hover:underline"
      >
        {t("iterations.suggestions.one", { number: suggestion.number })}
      </Link>
      <span className="min-w-0 flex-1 basis-48 text-ink-muted">
        {[
          t(`iterations.suggestions.origin.${suggestion.origin}`),
          suggestion.targets.length === 0
            ? null
            : t("iterations.suggestions.aims", { names: suggestion.targets.join(", ") }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      <Badge tone={tone} icon={<Icon aria-hidden />}>
        {t(`iterations.suggestions.states.${suggestion.state}`)}
      </Badge>
    </li>
  );
}

function Notes({ refinement }: { refinement: NonNullable<Iteration["refinement"]> }) {
  const { t } = useTranslation();
  const notes = [...refinement.unchanged, ...refinement.failures];
  return notes.length === 0 ? null : (
    <Disclosure label={t("iterations.suggestions.notes", { count: notes.length })}>
      <ul className="grid gap-1.5 text-sm text-ink-muted">
        {notes.map((note, at) => (
          <li key={at} className="wrap-anywhere">
            {note}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

export interface SuggestionsBoxProps {
  project: Project;
  iteration: Iteration;
}

/** Suggestions of the iteration: number, pending reviews and decisions. */
export function SuggestionsBox({ project, iteration }: SuggestionsBoxProps) {
  const { t } = useTranslation();
  const { suggestions, refinement } = iteration;
  const canReview = atLeast(project.role, "REVIEWER") && project.archived_at === null;
  const waiting = suggestions.filter(({ state }) => state === "pending");
  const isOpen = iteration.actions.includes("suggest");
  if (suggestions.length === 0 && refinement === null && !isOpen) {
    return null;
  }
  const [first] = waiting;
  return (
    <Card aria-label={t("iterations.suggestions.title")} className="grid gap-3 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 items-center gap-2.5">
          <GitPullRequestArrow aria-hidden className="size-5 shrink-0 text-accent-ink" />
          <h2 className="text-sm font-semibold">
            {waiting.length > 0
              ? t("iterations.suggestions.waiting", { count: waiting.length })
              : suggestions.length > 0
                ? t("iterations.suggestions.decided")
                : t("iterations.suggestions.none")}
          </h2>
        </div>
        <div className="flex flex-wrap gap-2">
          {isOpen && canReview ? <OwnEditLink slug={project.slug} iteration={iteration} /> : null}
          {first === undefined ? null : (
            <Button asChild size="sm">
              <Link
                to="/p/$slug/reviews/$suggestionId"
                params={{ slug: project.slug, suggestionId: first.id }}
              >
                {t(canReview ? "iterations.suggestions.review" : "iterations.suggestions.look")}
              </Link>
            </Button>
          )}
        </div>
      </div>
      {suggestions.length === 0 ? null : (
        <ul className="divide-y divide-border border-t border-border">
          {suggestions.map((suggestion) => (
            <SuggestionRow key={suggestion.id} slug={project.slug} suggestion={suggestion} />
          ))}
        </ul>
      )}
      {refinement === null ? null : <Notes refinement={refinement} />}
    </Card>
  );
}
