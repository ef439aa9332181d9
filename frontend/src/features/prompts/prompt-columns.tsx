import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { PromptSummary } from "@/api/types";
import { NAME_LINK, ResourceName } from "@/components/listing/resource-name";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Column } from "@/components/ui/table";
import { KindBadge, labelOf, ProductionBadge } from "./prompt-badges";

const MOST_VARIABLES = 3;

/** The first few; the rest is counted, and read out with them. */
function Variables({ names }: { names: readonly string[] }) {
  const { t } = useTranslation();
  const hidden = names.slice(MOST_VARIABLES);
  return (
    <span className="flex min-w-0 flex-wrap gap-1 max-lg:justify-end" title={names.join(", ")}>
      {names.slice(0, MOST_VARIABLES).map((name) => (
        <code
          key={name}
          className="max-w-40 truncate rounded-full bg-accent-bg px-2 py-0.5 text-xs text-on-accent-bg"
        >
          {name}
        </code>
      ))}
      {hidden.length === 0 ? null : (
        <span className="py-0.5 text-xs text-ink-muted">
          <span aria-hidden>+{hidden.length}</span>
          <span className="sr-only">
            {t("prompts.columns.further", { names: hidden.join(", ") })}
          </span>
        </span>
      )}
    </span>
  );
}

/** The latest version and who made it. */
function Latest({ prompt }: { prompt: PromptSummary }) {
  return (
    <span className="grid min-w-0 gap-0.5">
      <code className="text-xs">{prompt.latest?.label}</code>
      {prompt.author === null ? null : (
        <span className="max-w-48 truncate text-xs text-ink-muted" title={prompt.author}>
          {prompt.author}
        </span>
      )}
    </span>
  );
}

export function usePromptColumns(slug: string): Column<PromptSummary>[] {
  const { t } = useTranslation();
  const none = <span className="text-ink-subtle">{t("prompts.columns.none")}</span>;
  return [
    {
      key: "name",
      primary: true,
      header: t("fields.name"),
      cell: ({ id, name, kind, description, archived_at }) => (
        <ResourceName isArchived={archived_at !== null} note={description}>
          <Link
            to="/p/$slug/prompts/$promptId"
            params={{ slug, promptId: id }}
            className={NAME_LINK}
          >
            {name}
          </Link>
          <KindBadge kind={kind} />
        </ResourceName>
      ),
      className: "lg:w-1/3",
    },
    {
      key: "variables",
      header: t("prompts.columns.variables"),
      cell: (prompt) =>
        prompt.variables.length === 0 ? none : <Variables names={prompt.variables} />,
    },
    {
      key: "latest",
      header: t("prompts.columns.latest"),
      cell: (prompt) => (prompt.latest === null ? none : <Latest prompt={prompt} />),
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
  ];
}
