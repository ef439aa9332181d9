import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Iteration, Project } from "@/api/types";
import { Alert, type AlertProps } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { atLeast, can } from "@/lib/permissions";
import { OwnEditLink } from "./own-edit-link";

/** Problems with an action here; others show only the server's message. */
const KNOWN = [
  "budget",
  "answers_failed",
  "judging_failed",
  "refining_failed",
  "cannot_start",
  "no_suggestion",
  "run_deleted",
  "run_cancelled",
  "internal",
  "person",
] as const;
type Known = (typeof KNOWN)[number];

const isKnown = (problem: string | null): problem is Known =>
  KNOWN.some((known) => known === problem);

function toneOf({ state, problem }: Iteration): AlertProps["tone"] {
  if (state === "failed") {
    return "danger";
  }
  return problem === "person" || problem === "no_suggestion" ? "info" : "warning";
}

interface NoteProps {
  project: Project;
  iteration: Iteration;
}

function LinkButton({ children }: { children: ReactNode }) {
  return (
    <Button asChild size="sm" variant="secondary">
      {children}
    </Button>
  );
}

function SuggestedFix({ project, iteration }: NoteProps) {
  const { t } = useTranslation();
  const { slug } = project;
  const { problem } = iteration;
  const canSuggest = atLeast(project.role, "REVIEWER") && project.archived_at === null;
  return (
    <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
      {problem === "budget" ? (
        <LinkButton>
          <Link to="/p/$slug/budgets" params={{ slug }}>
            {t(
              can(project.role, "budgets.manage")
                ? "iterations.problems.raise"
                : "iterations.problems.see",
            )}
          </Link>
        </LinkButton>
      ) : null}
      {problem === "judging_failed" ? (
        <LinkButton>
          <Link to="/p/$slug/models" params={{ slug }}>
            {t("iterations.problems.models")}
          </Link>
        </LinkButton>
      ) : null}
      {iteration.actions.includes("suggest") && canSuggest ? (
        <OwnEditLink slug={slug} iteration={iteration} />
      ) : null}
      {iteration.state === "failed" ||
      problem === "judging_failed" ||
      problem === "run_cancelled" ? (
        <LinkButton>
          <Link
            to="/p/$slug/experiments/$experimentId"
            params={{ slug, experimentId: iteration.experiment_id }}
          >
            {t("iterations.problems.startAnother")}
          </Link>
        </LinkButton>
      ) : null}
    </div>
  );
}

/** Why an iteration failed, is paused, or is incomplete, and what to do about it. */
export function ProblemNote(props: NoteProps) {
  const { iteration } = props;
  const { t } = useTranslation();
  const { problem, message } = iteration;
  if (message === null) {
    return null;
  }
  const title = isKnown(problem) ? t(`iterations.problems.${problem}.title`) : undefined;
  return (
    <Alert tone={toneOf(iteration)} {...(title === undefined ? {} : { title })}>
      <p>{message}</p>
      {isKnown(problem) ? (
        <p className="text-ink-muted">{t(`iterations.problems.${problem}.advice`)}</p>
      ) : null}
      <SuggestedFix {...props} />
    </Alert>
  );
}
