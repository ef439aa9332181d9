import { useTranslation } from "react-i18next";
import type { Credential, Model, Project } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Drawer } from "@/components/ui/drawer";
import { can } from "@/lib/permissions";
import { AddModelsDialog } from "./add-models-dialog";
import { BalancedDialog, CostlyDialog } from "./advice-dialogs";
import { ModelDrawer } from "./model-drawer";
import type { ModelOverlay } from "./overlay";
import { TryDrawer } from "./try-drawer";

export interface ModelOverlaysProps {
  project: Project;
  models: readonly Model[];
  credentials: readonly Credential[];
  overlay: ModelOverlay;
  onOverlayChanged: (overlay: ModelOverlay) => void;
  onModelsImported: () => void;
}

function Missing({ onClosed }: { onClosed: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer open onOpenChanged={onClosed} title={t("models.missing.title")}>
      <Alert tone="info">{t("models.missing.body")}</Alert>
    </Drawer>
  );
}

/** Overlays of the table requested by the address, as far as the role allows. */
export function ModelOverlays(props: ModelOverlaysProps) {
  const { project, models, credentials, overlay, onOverlayChanged } = props;
  const { slug } = project;
  const onClosed = () => onOverlayChanged({});
  const manages = can(project.role, "models.manage");
  if (overlay.try !== undefined && can(project.role, "models.try")) {
    return (
      <TryDrawer
        slug={slug}
        models={models}
        chosen={overlay.try}
        onChosenChanged={(id) => onOverlayChanged({ try: id })}
        onClosed={onClosed}
      />
    );
  }
  if (overlay.model !== undefined) {
    const model = models.find((candidate) => candidate.id === overlay.model);
    return model === undefined ? (
      <Missing onClosed={onClosed} />
    ) : (
      <ModelDrawer
        key={model.id}
        project={project}
        model={model}
        credential={credentials.find((candidate) => candidate.id === model.credential_id)}
        onTryWanted={() => onOverlayChanged({ try: model.id })}
        onClosed={onClosed}
      />
    );
  }
  if (!manages) {
    return null;
  }
  if (overlay.import !== undefined && credentials.length > 0) {
    return (
      <AddModelsDialog
        project={project}
        models={models}
        credentials={credentials}
        chosen={overlay.import}
        onChosenChanged={(id) => onOverlayChanged({ import: id })}
        onModelAdded={(model) =>
          model.prices.source === "unknown"
            ? onOverlayChanged({ model: model.id })
            : props.onModelsImported()
        }
        onModelsImported={props.onModelsImported}
        onClosed={onClosed}
      />
    );
  }
  if (overlay.advice === "balanced") {
    return <BalancedDialog slug={slug} models={models} onClosed={onClosed} />;
  }
  return overlay.advice === "costly" ? <CostlyDialog slug={slug} onClosed={onClosed} /> : null;
}
