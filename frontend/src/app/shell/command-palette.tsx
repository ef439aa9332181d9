import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Command } from "cmdk";
import {
  Bell,
  FolderOpen,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Search,
  Sun,
  UserPlus,
  UserRound,
} from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useQuery } from "@tanstack/react-query";
import { OVERLAY } from "@/components/ui/dialog";
import { useReturnFocus } from "@/components/ui/return-focus";
import { projectListQuery, projectQuery } from "@/features/projects/queries";
import { useDebounced } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { setTheme, THEMES } from "@/lib/theme";
import { FoundGroup } from "./found-group";
import { usePages } from "./navigation";
import { PaletteGroup, PaletteItem } from "./palette-parts";
import { useShellActions } from "./shell-actions";

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

const THEME_ICONS = { light: <Sun />, dark: <Moon />, system: <Monitor /> } as const;

function CurrentProjectGroup({
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

function ProjectsGroup({ text, run }: { text: string; run: (action: () => unknown) => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const q = useDebounced(text.trim(), 200);
  const { data } = useInfiniteQuery(projectListQuery(q.length >= 2 ? { q } : {}));
  const items = data?.items ?? [];
  if (items.length === 0) {
    return null;
  }
  return (
    <PaletteGroup heading={t("nav.projects")}>
      {items.map((project) => (
        <PaletteItem
          key={project.id}
          value={`project ${project.name} ${project.slug}`}
          icon={<FolderOpen />}
          onChosen={() => run(() => navigate({ to: "/p/$slug", params: { slug: project.slug } }))}
        >
          {project.name}
        </PaletteItem>
      ))}
    </PaletteGroup>
  );
}

function Palette({ onClosed }: { onClosed: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { openShortcuts, signOut } = useShellActions();
  const { slug } = useParams({ strict: false });
  const [text, setText] = useState("");
  const run = (action: () => unknown) => {
    onClosed();
    action();
  };
  return (
    <Command label={t("palette.open")} className="flex min-h-0 flex-col">
      <div className="flex items-center gap-3 border-b border-border px-4">
        <Search aria-hidden className="size-4 shrink-0 text-ink-subtle" />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder={t("palette.placeholder")}
          className="h-12 w-full bg-transparent text-sm text-ink outline-none placeholder:text-ink-subtle"
        />
      </div>
      <Command.List className="max-h-96 min-h-0 overflow-y-auto py-1">
        <Command.Empty className="px-4 py-10 text-center text-sm text-ink-muted">
          {t("palette.empty")}
        </Command.Empty>
        {slug === undefined ? null : (
          <>
            <FoundGroup slug={slug} text={text} run={run} />
            <CurrentProjectGroup slug={slug} run={run} />
          </>
        )}
        <ProjectsGroup text={text} run={run} />
        <PaletteGroup heading={t("palette.general")}>
          <PaletteItem
            value={`go projects ${t("nav.allProjects")}`}
            icon={<FolderOpen />}
            onChosen={() => run(() => navigate({ to: "/projects" }))}
          >
            {t("nav.allProjects")}
          </PaletteItem>
          <PaletteItem
            value={`create project ${t("projects.new")}`}
            icon={<Plus />}
            onChosen={() => run(() => navigate({ to: "/projects", search: { create: true } }))}
          >
            {t("projects.new")}
          </PaletteItem>
          <PaletteItem
            value={`go notifications ${t("notifications.title")}`}
            icon={<Bell />}
            onChosen={() => run(() => navigate({ to: "/notifications" }))}
          >
            {t("notifications.title")}
          </PaletteItem>
          <PaletteItem
            value={`go account ${t("account.title")}`}
            icon={<UserRound />}
            onChosen={() => run(() => navigate({ to: "/account" }))}
          >
            {t("account.title")}
          </PaletteItem>
          <PaletteItem
            value={`keyboard ${t("shortcuts.title")}`}
            icon={<Keyboard />}
            onChosen={() => run(openShortcuts)}
          >
            {t("shortcuts.title")}
          </PaletteItem>
          <PaletteItem
            value={`leave ${t("account.signOut")}`}
            icon={<LogOut />}
            onChosen={() => run(signOut)}
          >
            {t("account.signOut")}
          </PaletteItem>
        </PaletteGroup>
        <PaletteGroup heading={t("theme.label")}>
          {THEMES.map((theme) => (
            <PaletteItem
              key={theme}
              value={`theme ${theme} ${t(`theme.${theme}`)}`}
              icon={THEME_ICONS[theme]}
              onChosen={() => run(() => setTheme(theme))}
            >
              {t(`theme.${theme}`)}
            </PaletteItem>
          ))}
        </PaletteGroup>
      </Command.List>
    </Command>
  );
}

export interface CommandPaletteProps {
  open: boolean;
  onOpenChanged: (open: boolean) => void;
}

export function CommandPalette({ open, onOpenChanged }: CommandPaletteProps) {
  const returnFocus = useReturnFocus(open);
  const { t } = useTranslation();
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChanged}>
      <Primitive.Portal>
        <Primitive.Overlay className={OVERLAY} />
        <Primitive.Content
          {...returnFocus}
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 animate-scale-in flex-col overflow-hidden rounded-xl border border-border-strong bg-raised shadow-xl focus:outline-none"
        >
          <Primitive.Title className="sr-only">{t("palette.open")}</Primitive.Title>
          <Palette onClosed={() => onOpenChanged(false)} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
