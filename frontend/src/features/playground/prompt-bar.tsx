import { Link } from "@tanstack/react-router";
import { SlidersHorizontal, SquareArrowOutUpRight } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Prompt } from "@/api/types";
import type { DraftState } from "@/components/prompt-editor/draft-state";
import { isDirty } from "@/components/prompt-editor/draft-state";
import { InlineName } from "@/components/prompt-editor/inline-name";
import { SaveState } from "@/components/prompt-editor/save-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";

export interface PromptBarProps {
  slug: string;
  prompt: Prompt;
  editable: boolean;
  state: DraftState;
  /** Prompt switcher, before the name. */
  switcher: ReactNode;
  /** Layout toggle, at the end. */
  layoutToggle: ReactNode;
  onParametersWanted: () => void;
  onRetryWanted: () => void;
  onConflictOpened: () => void;
}

/** Version of the text, or the version it was changed from. */
function VersionLabel({ prompt, state }: Pick<PromptBarProps, "prompt" | "state">) {
  const { t } = useTranslation();
  const { latest, draft } = prompt;
  if (latest === null) {
    return <Badge tone="outline">{t("prompts.noVersion")}</Badge>;
  }
  return draft.is_changed || isDirty(state) ? (
    <Badge tone="warning">{t("prompts.changedSince", { label: latest.label })}</Badge>
  ) : (
    <Badge tone="outline">{latest.label}</Badge>
  );
}

export function PromptBar(props: PromptBarProps) {
  const { slug, prompt, editable, state } = props;
  const { t } = useTranslation();
  return (
    <header className="grid grid-cols-1 gap-1.5">
      <div className="flex items-start gap-2">
        {props.switcher}
        <div className="min-w-0 flex-1 [&_h1]:line-clamp-2 [&_h1]:py-1 [&_h1]:text-base [&_h1]:leading-6">
          <InlineName slug={slug} prompt={prompt} editable={editable} />
        </div>
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <VersionLabel prompt={prompt} state={state} />
        {prompt.draft.wants_json ? <Badge tone="info">{t("prompts.wantsJson")}</Badge> : null}
        {prompt.draft.wants_response ? (
          <Badge tone="info">{t("prompts.wantsResponse")}</Badge>
        ) : null}
        {editable ? (
          <SaveState
            state={state}
            onRetryWanted={props.onRetryWanted}
            onConflictOpened={props.onConflictOpened}
          />
        ) : null}
        <div className="ml-auto flex shrink-0 items-center gap-1">
          <Tooltip content={t("playground.parameters.title")}>
            <Button
              variant="ghost"
              size="sm"
              iconOnly
              aria-label={t("playground.parameters.title")}
              onClick={props.onParametersWanted}
            >
              <SlidersHorizontal aria-hidden />
            </Button>
          </Tooltip>
          <Tooltip content={t("playground.prompt.open")}>
            <Button asChild variant="ghost" size="sm" iconOnly>
              <Link
                to="/p/$slug/prompts/$promptId"
                params={{ slug, promptId: prompt.id }}
                aria-label={t("playground.prompt.open")}
              >
                <SquareArrowOutUpRight aria-hidden />
              </Link>
            </Button>
          </Tooltip>
          {props.layoutToggle}
        </div>
      </div>
    </header>
  );
}
