import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Plus, UserPlus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { projectQuery } from "@/api/projects";
import { can } from "@/lib/permissions";
import { usePages } from "./navigation";
import { PaletteGroup, PaletteItem } from "./palette-parts";

/** Pages on which something new is made. */
const NEW_THINGS = [
  { to: "/p/$slug/runs/new", text: "palette.new.run", needs: "runs.start" },
  { to: "/p/$slug/experiments/new", text: "palette.new.experiment", needs: "experiments.edit" },
  {
    to: "/p/$slug/optimizations/new",
    text: "palette.new.optimization",
    needs: "optimizations.edit",
  },
  { to: "/p/$slug/ab-tests/new", text: "palette.new.abTest", needs: "abTests.edit" },
  { to: "/p/$slug/monitors/new", text: "palette.new.monitor", needs: "monitors.edit" },
] as const;

/** Pages of the current project, and what can be begun in it. */
export function CurrentProjectGroup({
  slug,
  run,
}: {
  slug: string;
  run: (action: () => unknown) => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: project } = useQuery(projectQuery(slug));
  const pages = usePages();
  if (project === undefined) {
    return null;
  }
  const entries = pages.filter(({ needs }) => needs === undefined || can(project.role, needs));
  return (
    <PaletteGroup heading={project.name}>
      {entries.map((entry) => (
        <PaletteItem
          key={entry.key}
          value={`page ${entry.key} ${t(`nav.${entry.key}`)}`}
          icon={<entry.icon />}
          onChosen={() => run(() => navigate({ to: entry.to, params: { slug } }))}
        >
          {t(`nav.${entry.key}`)}
        </PaletteItem>
      ))}
      {NEW_THINGS.filter(({ needs }) => can(project.role, needs)).map(({ to, text }) => (
        <PaletteItem
          key={to}
          value={`action new ${t(text)}`}
          icon={<Plus />}
          onChosen={() => run(() => navigate({ to, params: { slug } }))}
        >
          {t(text)}
        </PaletteItem>
      ))}
      {can(project.role, "members.manage") ? (
        <PaletteItem
          value={`action invite ${t("members.invite.action")}`}
          icon={<UserPlus />}
          onChosen={() =>
            run(() =>
              navigate({ to: "/p/$slug/members", params: { slug }, search: { invite: true } }),
            )
          }
        >
          {t("members.invite.action")}
        </PaletteItem>
      ) : null}
    </PaletteGroup>
  );
}
