import { Link } from "@tanstack/react-router";
import { Eye, History, Radar, Save } from "lucide-react";
import { useTranslation } from "react-i18next";
import { bundleAddress, PROMPT_FILES, promptFileAddress } from "@/api/bundles";
import type { Prompt } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ImproveMenu } from "@/components/improve-menu";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DownloadMenu } from "@/components/ui/download-menu";
import { MenuItem } from "@/components/ui/dropdown-menu";
import { Tooltip } from "@/components/ui/tooltip";
import { InlineName } from "@/components/prompt-editor/inline-name";
import { ArchivedBadge } from "@/components/listing/resource-name";
import { CommandMenu, type Command } from "@/components/ui/command-menu";
import { KindBadge, labelOf, ProductionBadge } from "./prompt-badges";
import { SaveState, type SaveStateProps } from "@/components/prompt-editor/save-state";

export interface PromptHeaderProps extends SaveStateProps {
  slug: string;
  prompt: Prompt;
  /** Whether the role may edit prompts. */
  allowed: boolean;
  /** Whether this prompt is editable now. */
  editable: boolean;
  previewing: boolean;
  onPreviewToggled: () => void;
  onHistoryOpened: () => void;
  onVersionWanted: () => void;
  commands: readonly Command[];
}

function Badges({ prompt }: { prompt: Prompt }) {
  const { t } = useTranslation();
  const { latest, production, draft } = prompt;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <KindBadge kind={prompt.kind} />
      <Badge tone="outline">{latest?.label ?? t("prompts.noVersion")}</Badge>
      {production === null ? null : (
        <ProductionBadge>
          {t("prompts.production.is", { label: labelOf(production, prompt) })}
        </ProductionBadge>
      )}
      {latest !== null && draft.is_changed ? (
        <Badge tone="warning">{t("prompts.changedSince", { label: latest.label })}</Badge>
      ) : null}
      {draft.wants_json ? <Badge tone="info">{t("prompts.wantsJson")}</Badge> : null}
      {draft.wants_response ? <Badge tone="info">{t("prompts.wantsResponse")}</Badge> : null}
      {prompt.archived_at === null ? null : <ArchivedBadge />}
    </div>
  );
}

function Actions(props: PromptHeaderProps) {
  const { slug, prompt, allowed, editable, previewing } = props;
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        variant="secondary"
        aria-pressed={previewing}
        onClick={props.onPreviewToggled}
        className={previewing ? "border-accent-ink text-accent-ink" : ""}
      >
        <Eye aria-hidden />
        {t("prompts.preview.action")}
      </Button>
      <Button variant="secondary" onClick={props.onHistoryOpened}>
        <History aria-hidden />
        {t("prompts.history.action")}
      </Button>
      <DownloadMenu
        label={t("prompts.bundle.action")}
        files={[
          {
            label: t("prompts.bundle.system"),
            address: bundleAddress(slug, { kind: "prompt", id: prompt.id }),
          },
          {
            label: t("prompts.bundle.withRuns"),
            address: bundleAddress(slug, { kind: "prompt", id: prompt.id, runs: true }),
          },
          ...PROMPT_FILES.map((format) => ({
            label: t(`prompts.bundle.files.${format}`),
            address: promptFileAddress(slug, prompt.id, format),
          })),
        ]}
      />
      {allowed && prompt.kind === "generator" && prompt.archived_at === null ? (
        <ImproveMenu slug={slug} source={{ prompt: prompt.id }} />
      ) : null}
      {editable ? (
        <Tooltip content={t("prompts.version.tooltip")}>
          <Button onClick={props.onVersionWanted}>
            <Save aria-hidden />
            {t("prompts.version.action")}
          </Button>
        </Tooltip>
      ) : null}
      <CommandMenu
        label={t("lists.menu", { name: prompt.name })}
        commands={allowed ? props.commands : []}
      >
        {prompt.kind === "generator" && prompt.archived_at === null ? (
          <MenuItem asChild>
            <Link to="/p/$slug/monitors/new" params={{ slug }} search={{ prompt: prompt.id }}>
              <Radar aria-hidden />
              {t("monitors.fromHere")}
            </Link>
          </MenuItem>
        ) : null}
      </CommandMenu>
    </div>
  );
}

export function PromptHeader(props: PromptHeaderProps) {
  const { slug, prompt, editable } = props;
  const { t } = useTranslation();
  return (
    <header className="grid gap-3">
      <BackLink to="/p/$slug/prompts" slug={slug}>
        {t("prompts.title")}
      </BackLink>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-72 gap-2">
          <InlineName slug={slug} prompt={prompt} editable={editable} />
          <Badges prompt={prompt} />
        </div>
        <div className="grid justify-items-end gap-2 max-lg:justify-items-start">
          <Actions {...props} />
          {editable ? <SaveState {...props} /> : null}
        </div>
      </div>
    </header>
  );
}
