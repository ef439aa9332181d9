import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Select } from "@/components/ui/select";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { isFiltered } from "@/lib/search";
import { queueQuery } from "./queries";
import { QUEUE_STATES, type QueueView } from "./queue-view";
import { QueueTable } from "./queue-table";
import { StuckExperiments } from "./stuck-experiments";

const WAITING = "pending";

export interface ReviewsPageProps {
  project: Project;
  view: QueueView;
  onViewChanged: (view: QueueView) => void;
}

function Filters({ view, onViewChanged }: ReviewsPageProps) {
  const { t } = useTranslation();
  return (
    <div role="group" aria-label={t("reviews.filters")} className="flex flex-wrap gap-3">
      <SearchBox
        label={t("reviews.search")}
        value={view.q}
        onValueChanged={(q) => onViewChanged({ ...view, q })}
      />
      <Select
        aria-label={t("reviews.columns.state")}
        className="w-48"
        value={view.state ?? WAITING}
        options={[
          { value: WAITING, label: t("reviews.states.pending") },
          ...QUEUE_STATES.map((value) => ({ value, label: t(`reviews.states.${value}`) })),
        ]}
        onValueChanged={(value) =>
          onViewChanged({ ...view, state: QUEUE_STATES.find((state) => state === value) })
        }
      />
      {view.experiment === undefined ? null : (
        <Button variant="ghost" onClick={() => onViewChanged({ ...view, experiment: undefined })}>
          {t("reviews.allExperiments")}
        </Button>
      )}
    </div>
  );
}

function EmptyQueue({ project, view, onViewChanged }: ReviewsPageProps) {
  const { t } = useTranslation();
  if (isFiltered(view)) {
    return <NoMatch onFiltersCleared={() => onViewChanged({})} />;
  }
  return (
    <EmptyState
      icon={<CircleCheck />}
      title={t("reviews.empty.title")}
      description={t("reviews.empty.body")}
      action={
        <Button asChild variant="secondary">
          <Link to="/p/$slug/experiments" params={{ slug: project.slug }}>
            {t("reviews.empty.action")}
          </Link>
        </Button>
      }
    />
  );
}

function Queue(props: ReviewsPageProps) {
  const { project, view } = props;
  const list = useInfiniteQuery(queueQuery(project.slug, view));
  return (
    <PagedList query={list} empty={<EmptyQueue {...props} />}>
      {(suggestions) => <QueueTable slug={project.slug} suggestions={suggestions} />}
    </PagedList>
  );
}

/** Pending reviews of all experiments. */
export function ReviewsPage(props: ReviewsPageProps) {
  const { project } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("reviews.title"), project.name);
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader title={t("reviews.title")} description={t("reviews.description")} />
      <Filters {...props} />
      {can(project.role, "reviews.decide") ? <StuckExperiments slug={project.slug} /> : null}
      <Queue {...props} />
    </div>
  );
}
