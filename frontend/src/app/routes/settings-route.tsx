import { useNavigate } from "@tanstack/react-router";
import { SettingsPage } from "@/features/settings/settings-page";
import { useProject } from "../project-context";

export function SettingsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  return (
    <SettingsPage
      project={project}
      onProjectRenamed={(renamed) => {
        if (renamed.slug !== project.slug) {
          void navigate({
            to: "/p/$slug/settings",
            params: { slug: renamed.slug },
            replace: true,
            ignoreBlocker: true,
          });
        }
      }}
      onProjectDeleted={() => void navigate({ to: "/projects", ignoreBlocker: true })}
    />
  );
}
