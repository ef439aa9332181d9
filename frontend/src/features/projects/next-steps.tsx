import { Link, type LinkProps } from "@tanstack/react-router";
import { ArrowRight, ScrollText, SlidersHorizontal, UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { Card, CardHeader } from "@/components/ui/card";
import { can, type Action } from "@/lib/permissions";

interface Step {
  key: "invite" | "settings" | "audit";
  needs: Action;
  icon: ReactNode;
  link: Pick<LinkProps, "to" | "search">;
}

const STEPS: readonly Step[] = [
  {
    key: "invite",
    needs: "members.manage",
    icon: <UserPlus />,
    link: { to: "/p/$slug/members", search: { invite: true } },
  },
  {
    key: "settings",
    needs: "settings.edit",
    icon: <SlidersHorizontal />,
    link: { to: "/p/$slug/settings" },
  },
  { key: "audit", needs: "audit.read", icon: <ScrollText />, link: { to: "/p/$slug/audit" } },
];

/** Suggested next steps, by role. */
export function NextSteps({ project }: { project: Project }) {
  const { t } = useTranslation();
  const steps = STEPS.filter((step) => can(project.role, step.needs));
  if (steps.length === 0) {
    return null;
  }
  return (
    <Card aria-labelledby="next-heading">
      <CardHeader id="next-heading" title={t("home.next.title")} />
      <ul className="mt-3 divide-y divide-border border-t border-border">
        {steps.map((step) => (
          <li key={step.key} className="last:[&>a]:rounded-b-xl">
            <Link
              {...step.link}
              params={{ slug: project.slug }}
              className="group flex items-center gap-4 px-5 py-3.5 -outline-offset-2 transition-colors hover:bg-surface"
            >
              <span
                aria-hidden
                className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-accent-bg text-on-accent-bg [&_svg]:size-4"
              >
                {step.icon}
              </span>
              <span className="grid min-w-0 flex-1">
                <span className="font-medium">{t(`home.next.${step.key}.title`)}</span>
                <span className="text-xs text-ink-muted">{t(`home.next.${step.key}.hint`)}</span>
              </span>
              <ArrowRight
                aria-hidden
                className="size-4 shrink-0 text-ink-subtle transition-transform duration-150 group-hover:translate-x-0.5"
              />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
