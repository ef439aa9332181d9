import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Command } from "cmdk";
import {
  Bell,
  Compass,
  BookOpen,
  FolderOpen,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Search,
  Sun,
  UserRound,
} from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { OVERLAY } from "@/components/ui/dialog";
import { useReturnFocus } from "@/components/ui/return-focus";
import { projectListQuery } from "@/features/projects/queries";
import { useDebounced } from "@/lib/hooks";
import { setTheme, THEMES } from "@/lib/theme";
import { CurrentProjectGroup } from "./current-project-group";
import { FoundGroup } from "./found-group";
import { PaletteGroup, PaletteItem } from "./palette-parts";
import { useShellActions } from "./shell-actions";

const THEME_ICONS = { light: <Sun />, dark: <Moon />, system: <Monitor /> } as const;

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
  const { openShortcuts, startTour, signOut } = useShellActions();
  const { slug } = useParams({ strict: false });
  const [text, setText] = useState("");
  const [selected, setSelected] = useState("");
  const list = useRef<HTMLDivElement>(null);
  // What is found arrives later, and may come first.
  const selectFirst = useCallback(
    () =>
      void requestAnimationFrame(() => {
        const first = list.current?.querySelector("[cmdk-item]");
        setSelected(first?.getAttribute("data-value") ?? "");
      }),
    [],
  );
  const run = (action: () => unknown) => {
    onClosed();
    action();
  };
  return (
    <Command
      label={t("palette.open")}
      value={selected}
      onValueChange={setSelected}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-3 border-b border-border px-4">
        <Search aria-hidden className="size-4 shrink-0 text-ink-subtle" />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder={t("palette.placeholder")}
          className="h-12 w-full bg-transparent text-sm text-ink outline-none placeholder:text-ink-subtle"
        />
      </div>
      <Command.List ref={list} className="max-h-96 min-h-0 overflow-y-auto py-1">
        <Command.Empty className="px-4 py-10 text-center text-sm text-ink-muted">
          {t("palette.empty")}
        </Command.Empty>
        {slug === undefined ? null : (
          <>
            <FoundGroup slug={slug} text={text} run={run} onFound={selectFirst} />
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
            value={`help ${t("help.documentation")}`}
            icon={<BookOpen />}
            onChosen={() => run(() => window.open("/docs/", "_blank", "noreferrer"))}
          >
            {t("help.documentation")}
          </PaletteItem>
          <PaletteItem
            value={`keyboard ${t("shortcuts.title")}`}
            icon={<Keyboard />}
            onChosen={() => run(openShortcuts)}
          >
            {t("shortcuts.title")}
          </PaletteItem>
          <PaletteItem
            value={`help tour ${t("tour.action")}`}
            icon={<Compass />}
            onChosen={() => run(startTour)}
          >
            {t("tour.action")}
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
