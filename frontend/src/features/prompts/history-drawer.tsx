import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Prompt, VersionSummary } from "@/api/types";
import { useChange } from "@/api/use-change";
import { assignLanes, laneCount } from "@/components/lineage/lanes";
import { LineageGraph } from "@/components/lineage/lineage-graph";
import { PagedList } from "@/components/listing/paged-list";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { TableSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { versionsQuery } from "./version-queries";
import { VersionRow, type VersionActions } from "./version-row";

export interface HistoryProps extends Omit<VersionActions, "onProductionChanged"> {
  slug: string;
  prompt: Prompt;
  editable: boolean;
  restoring: boolean;
}

interface LineageProps extends HistoryProps {
  versions: readonly VersionSummary[];
  onProductionChanged: VersionActions["onProductionChanged"];
}

function Lineage({ versions, ...props }: LineageProps) {
  const { t } = useTranslation();
  const rows = assignLanes(versions);
  const width = laneCount(rows);
  const byId = new Map(versions.map((version) => [version.id, version]));
  return (
    <ol aria-label={t("prompts.history.list")} className="grid">
      {versions.map((version, index) => {
        const row = rows[index];
        const parent = byId.get(version.parent_id ?? "");
        const isBefore = parent !== undefined && parent.id === versions[index + 1]?.id;
        return row === undefined ? null : (
          <li key={version.id} className="flex min-w-0 gap-3">
            <LineageGraph
              row={row}
              above={rows[index - 1]}
              width={width}
              highlighted={version.is_production}
            />
            <VersionRow
              {...props}
              version={version}
              parent={isBefore ? undefined : parent}
              pending={props.restoring}
            />
          </li>
        );
      })}
    </ol>
  );
}

function VersionList(props: HistoryProps) {
  const { slug, prompt } = props;
  const { t } = useTranslation();
  const versions = useInfiniteQuery(versionsQuery(slug, prompt.id));
  const mark = useChange("put", "/projects/{project}/prompts/{prompt_id}/production", {
    project: slug,
    prompt_id: prompt.id,
  });
  const empty = (
    <EmptyState
      icon={<History />}
      title={t("prompts.history.none")}
      description={t("prompts.history.noneHint")}
    />
  );
  return (
    <PagedList query={versions} empty={empty} skeleton={<TableSkeleton rows={4} />}>
      {(items) => (
        <Lineage
          {...props}
          versions={items}
          onProductionChanged={({ id, label }, production) =>
            mark.mutate(
              { body: { version_id: production ? id : null } },
              {
                onSuccess: () =>
                  toast.success(
                    t(production ? "prompts.production.marked" : "prompts.production.unmarked", {
                      label,
                    }),
                  ),
                onError: (error) => toast.error(problemMessage(error)),
              },
            )
          }
        />
      )}
    </PagedList>
  );
}

export interface HistoryDrawerProps extends HistoryProps {
  open: boolean;
  onOpenChanged: (open: boolean) => void;
}

export function HistoryDrawer({ open, onOpenChanged, ...props }: HistoryDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      open={open}
      onOpenChanged={onOpenChanged}
      title={t("prompts.history.title")}
      description={t("prompts.history.description")}
    >
      <VersionList {...props} />
    </Drawer>
  );
}
