import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { PromptSummary } from "@/api/types";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { ArchivedBadge, KindBadge, labelOf, ProductionBadge } from "./prompt-badges";
import { PromptMenu, type PromptCommand } from "./prompt-menu";

export interface PromptTableProps {
  slug: string;
  prompts: readonly PromptSummary[];
  editable: boolean;
  onCommand: (command: PromptCommand, prompt: PromptSummary) => void;
}

function PromptName({ slug, prompt }: { slug: string; prompt: PromptSummary }) {
  return (
    <span className="grid min-w-0 gap-0.5 text-left">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <Link
          to="/p/$slug/prompts/$promptId"
          params={{ slug, promptId: prompt.id }}
          className="min-w-0 rounded-sm font-medium wrap-anywhere hover:text-accent-ink hover:underline"
        >
          {prompt.name}
        </Link>
        {prompt.archived_at === null ? null : <ArchivedBadge />}
      </span>
      {prompt.description ? (
        <span className="line-clamp-1 text-xs text-ink-muted">{prompt.description}</span>
      ) : null}
    </span>
  );
}

export function PromptTable(props: PromptTableProps) {
  const { slug, prompts, editable, onCommand } = props;
  const { t } = useTranslation();
  const none = <span className="text-ink-subtle">{t("prompts.columns.none")}</span>;
  const columns: Column<PromptSummary>[] = [
    {
      key: "name",
      primary: true,
      header: t("fields.name"),
      cell: (prompt) => <PromptName slug={slug} prompt={prompt} />,
      className: "lg:w-2/5",
    },
    {
      key: "kind",
      header: t("prompts.columns.kind"),
      cell: (prompt) => <KindBadge kind={prompt.kind} />,
    },
    {
      key: "latest",
      header: t("prompts.columns.latest"),
      cell: (prompt) =>
        prompt.latest === null ? none : <code className="text-xs">{prompt.latest.label}</code>,
    },
    {
      key: "production",
      header: t("prompts.columns.production"),
      cell: (prompt) =>
        prompt.production === null ? (
          none
        ) : (
          <ProductionBadge>{labelOf(prompt.production, prompt)}</ProductionBadge>
        ),
    },
    {
      key: "updated",
      header: t("prompts.columns.updated"),
      cell: (prompt) => (
        <RelativeTime iso={prompt.updated_at} className="whitespace-nowrap text-ink-muted" />
      ),
    },
    {
      key: "actions",
      header: t("ui.actions"),
      hideHeader: true,
      align: "right",
      cell: (prompt) => (
        <PromptMenu
          prompt={prompt}
          editable={editable}
          onCommand={(command) => onCommand(command, prompt)}
        />
      ),
    },
  ];
  return (
    <Table
      caption={t("prompts.title")}
      columns={editable ? columns : columns.filter(({ key }) => key !== "actions")}
      rows={prompts}
      rowKey={(prompt) => prompt.id}
    />
  );
}
