import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { ExternalLink, FlaskConical, PlugZap } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { projectQuery } from "@/api/projects";
import { useAddSimulatedModels } from "@/api/simulated-models";
import type { Model } from "@/api/types";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";

export interface MissingModelsProps {
  slug: string;
  /** Called with the added models, the weaker one first. */
  onModelsAdded?: ((models: readonly Model[]) => void) | undefined;
  /** The page has input that is not stored: the provider is connected in a new tab. */
  keepsPage?: boolean;
}

/** Whether the user may connect providers, as far as the page knows their role. */
function useMayConnect(slug: string): boolean {
  const project = useQuery({ ...projectQuery(slug), enabled: false }).data;
  return project === undefined || can(project.role, "credentials.manage");
}

/** Two ways to models: simulated ones by a click, or a provider, and back to this page. */
export function MissingModelsActions({ slug, onModelsAdded, keepsPage }: MissingModelsProps) {
  const { t } = useTranslation();
  const next = useLocation({ select: ({ href }) => href });
  const add = useAddSimulatedModels(slug);
  if (!useMayConnect(slug)) {
    return null;
  }
  // The page may replace this component as soon as there are models, so it waits for the promise.
  const addAll = () =>
    void add.mutateAsync(t("missingModels.label")).then(
      (added) => {
        toast.success(t("missingModels.added", { count: added.length }));
        onModelsAdded?.(added);
      },
      (error: unknown) => toast.error(problemMessage(error)),
    );
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" loading={add.isPending} onClick={addAll}>
        <FlaskConical aria-hidden />
        {t("missingModels.simulated")}
      </Button>
      <Button asChild variant="secondary" size="sm">
        <Link
          to="/p/$slug/settings/providers"
          params={{ slug }}
          search={{ add: "choose", next }}
          {...(keepsPage === true ? { target: "_blank" } : {})}
        >
          {keepsPage === true ? <ExternalLink aria-hidden /> : <PlugZap aria-hidden />}
          {t("missingModels.connect")}
        </Link>
      </Button>
    </div>
  );
}

/** In a form, in place of a chooser of models. */
export function MissingModels(props: MissingModelsProps) {
  const { t } = useTranslation();
  const mayConnect = useMayConnect(props.slug);
  return (
    <div className="grid justify-items-start gap-2.5">
      <p className="text-sm text-ink-muted">
        {t(mayConnect ? "missingModels.hint" : "missingModels.askAdmin")}
      </p>
      <MissingModelsActions {...props} />
    </div>
  );
}
