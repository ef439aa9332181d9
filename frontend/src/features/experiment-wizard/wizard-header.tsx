import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Experiment, Project } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { SaveState } from "@/components/draft-saving/save-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { formatMoment } from "@/lib/format";
import type { Wizard } from "./use-wizard";
import { WizardName } from "./wizard-name";

export interface WizardHeaderProps {
  project: Project;
  experiment: Experiment;
  wizard: Wizard;
  mayEdit: boolean;
  editable: boolean;
  /** The open step has a field for the name. */
  hasNameField: boolean;
  onConflictOpened: () => void;
}

/** Why the experiment cannot be changed. */
function Locked({ project, experiment, mayEdit }: WizardHeaderProps) {
  const { t } = useTranslation();
  const isUnderWay = mayEdit && experiment.archived_at === null;
  return (
    <Alert
      tone="info"
      live={false}
      action={
        isUnderWay ? (
          <Button asChild variant="secondary" size="sm">
            <Link
              to="/p/$slug/experiments/$experimentId"
              params={{ slug: project.slug, experimentId: experiment.id }}
            >
              {t("wizard.frame.open")}
            </Link>
          </Button>
        ) : undefined
      }
    >
      {!mayEdit
        ? t("wizard.frame.readOnly")
        : isUnderWay
          ? t("wizard.frame.underWay")
          : t("wizard.frame.archived")}
    </Alert>
  );
}

/** Name and save state of the experiment. */
export function WizardHeader(props: WizardHeaderProps) {
  const { project, experiment, wizard, editable, onConflictOpened } = props;
  const { t } = useTranslation();
  const { state, saver } = wizard;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <BackLink to="/p/$slug/experiments" slug={project.slug}>
        {t("wizard.frame.all")}
      </BackLink>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <WizardName
          name={state.mine.name}
          editable={editable && !props.hasNameField}
          onRenamed={wizard.rename}
        />
        {editable ? (
          <SaveState
            state={state}
            isDirty={wizard.isDirty}
            savedText={t("saving.savedAt", { time: formatMoment(state.read.updated_at) })}
            onRetryWanted={() => saver.retry()}
            onConflictOpened={onConflictOpened}
          />
        ) : null}
      </div>
      {editable ? null : <Locked {...props} />}
      {editable && experiment.state !== "draft" && experiment.is_changed ? (
        <Alert tone="info" live={false}>
          {t("wizard.frame.changed")}
        </Alert>
      ) : null}
    </div>
  );
}
