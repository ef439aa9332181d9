import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { ExperimentSummary } from "@/api/types";
import { toast } from "@/components/ui/toast";
import {
  CompareWithDialog,
  DeleteExperimentDialog,
  RenameExperimentDialog,
} from "./experiment-dialogs";
import type { ExperimentCommand } from "./experiment-menu";
import { useArchiveExperiment, useDuplicateExperiment } from "./queries";

/** Where commands lead to. */
export interface ExperimentWays {
  onSetupOpened: (experimentId: string) => void;
  onReportOpened: (experimentId: string) => void;
  onCompared: (experimentId: string, otherId: string) => void;
}

interface Asked {
  command: ExperimentCommand;
  experiment: ExperimentSummary;
}

/** What the menu of an experiment does, and the dialog that one of its commands has opened. */
export function useExperimentCommands(
  slug: string,
  ways: ExperimentWays,
  onDeleted?: () => void,
): [run: (command: ExperimentCommand, experiment: ExperimentSummary) => void, dialog: ReactNode] {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Asked | null>(null);
  const duplicate = useDuplicateExperiment(slug);
  const archive = useArchiveExperiment(slug);
  const onError = (error: unknown) => void toast.error(problemMessage(error));
  const setArchived = ({ id, name }: ExperimentSummary, wanted: boolean) =>
    archive.mutate(
      { id, archive: wanted },
      {
        onError,
        onSuccess: () =>
          toast.success(
            t(wanted ? "experiments.archive.done" : "experiments.archive.undone", { name }),
          ),
      },
    );
  const duplicateIt = ({ id }: ExperimentSummary) =>
    duplicate.mutate(id, {
      onError,
      onSuccess: (copy) => {
        toast.success(t("experiments.duplicate.done", { name: copy.name }));
        ways.onSetupOpened(copy.id);
      },
    });
  const run = (command: ExperimentCommand, experiment: ExperimentSummary) => {
    switch (command) {
      case "setup":
        ways.onSetupOpened(experiment.id);
        break;
      case "report":
        ways.onReportOpened(experiment.id);
        break;
      case "archive":
      case "unarchive":
        setArchived(experiment, command === "archive");
        break;
      case "duplicate":
        duplicateIt(experiment);
        break;
      default:
        setAsked({ command, experiment });
    }
  };
  return [run, asked === null ? null : dialogOf(asked)];

  function dialogOf({ command, experiment }: Asked): ReactNode {
    const props = { slug, experiment, onClosed: () => setAsked(null) };
    switch (command) {
      case "rename":
        return <RenameExperimentDialog {...props} />;
      case "delete":
        return <DeleteExperimentDialog {...props} {...(onDeleted ? { onDeleted } : {})} />;
      case "compare":
        return (
          <CompareWithDialog
            {...props}
            onChosen={(otherId) => ways.onCompared(experiment.id, otherId)}
          />
        );
      default:
        return null;
    }
  }
}
