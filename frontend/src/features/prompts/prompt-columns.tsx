import { useTranslation } from "react-i18next";
import type { PromptSummary } from "@/api/types";
import { useResourceColumns } from "@/components/listing/columns";
import type { Column } from "@/components/ui/table";
import { KindBadge, labelOf, ProductionBadge } from "./prompt-badges";

const MOST_VARIABLES = 3;

/** The first few variables and the number of others, all of them for screen readers. */
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

export function usePromptColumns(slug: string): Column<PromptSummary>[] {
  const { t } = useTranslation();
  const columns = useResourceColumns<PromptSummary>();
  const none = <span className="text-ink-subtle">{t("prompts.columns.none")}</span>;
  return [
    columns.name({
      link: ({ id }) => ({ to: "/p/$slug/prompts/$promptId", params: { slug, promptId: id } }),
      badge: ({ kind }) => <KindBadge kind={kind} />,
      note: ({ description }) => description,
    }),
    {
      key: "variables",
      header: t("prompts.columns.variables"),
      cell: (prompt) =>
        prompt.variables.length === 0 ? none : <Variables names={prompt.variables} />,
    },
    columns.version(t("prompts.columns.latest"), none),
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
    columns.time("updated", t("prompts.columns.updated"), ({ updated_at }) => updated_at),
  ];
}
