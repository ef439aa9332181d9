import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Suggestion, SuggestionDecision } from "@/api/types";
import { toast } from "@/components/ui/toast";
import { useDecide, type DecisionRequest } from "./queries";

type Approval = Exclude<DecisionRequest, { kind: "reject" }>;

/** Open confirmation before a decision is sent. */
export type OpenDialog = "reject" | "rails" | "base" | null;

export interface Decision {
  asked: OpenDialog;
  ask: (asked: OpenDialog) => void;
  /** Decision made in this visit; null until then. */
  outcome: SuggestionDecision | null;
  isSending: boolean;
  message: string | null;
  decide: (wanted: DecisionRequest) => void;
  /** Resends a decision that was refused because the prompt has newer versions. */
  branch: () => void;
}

/** Decision flow: confirmations, request and outcome. */
export function useDecision(
  slug: string,
  suggestion: Suggestion,
  onIterationOpened: (iterationId: string) => void,
): Decision {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<OpenDialog>(null);
  const [outcome, setOutcome] = useState<SuggestionDecision | null>(null);
  const [refused, setRefused] = useState<Approval | null>(null);
  const { mutate, isPending, error, reset } = useDecide(slug, suggestion.id);

  const announce = ({ next_iteration_id: following }: SuggestionDecision, kind: string) => {
    if (kind === "reject") {
      toast.success(t("reviews.toast.rejected"));
    } else if (following === null) {
      toast.success(t("reviews.toast.approvedLast"));
    } else {
      toast.success(t("reviews.toast.approved"), {
        action: {
          label: t("reviews.decided.openIteration"),
          onClick: () => onIterationOpened(following),
        },
      });
    }
  };
  const onRefused = (wanted: DecisionRequest, failure: unknown) => {
    const problem = asProblem(failure);
    if (problem.code === "BASE_CHANGED" && wanted.kind !== "reject") {
      setRefused(wanted);
      setAsked("base");
    } else if (problem.code === "ALREADY_DECIDED") {
      setAsked(null);
      toast.warning(t("reviews.toast.alreadyDecided"));
    } else if (asked === null) {
      toast.error(problemMessage(problem));
    }
  };
  const decide = (wanted: DecisionRequest) =>
    mutate(wanted, {
      onSuccess: (decision) => {
        setAsked(null);
        setOutcome(decision);
        announce(decision, wanted.kind);
      },
      onError: (failure) => onRefused(wanted, failure),
    });
  const isBaseRefusal = error !== null && asProblem(error).code === "BASE_CHANGED";
  return {
    asked,
    ask: (next) => {
      reset();
      setAsked(next);
    },
    outcome,
    isSending: isPending,
    message: error === null || isBaseRefusal ? null : problemMessage(error),
    decide,
    branch: () => decide({ ...(refused ?? { kind: "approve", reason: null }), mayBranch: true }),
  };
}
