import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { problemMessage } from "@/api/problem-message";
import { send } from "@/api/request";
import { toast } from "@/components/ui/toast";
import { TooltipProvider } from "@/components/ui/tooltip";
import { useShortcuts } from "@/lib/shortcuts";
import { usePages } from "./shell/navigation";
import { ShellActionsContext, type ShellActions } from "./shell/shell-actions";
import { ShortcutSheet } from "./shell/shortcut-sheet";

const CommandPalette = lazy(() =>
  import("./shell/command-palette").then((module) => ({ default: module.CommandPalette })),
);

const Tour = lazy(() =>
  import("@/features/tour/tour").then((module) => ({ default: module.Tour })),
);

function focusSearch() {
  document.querySelector<HTMLElement>("[data-page-search]")?.focus();
}

function useGlobalShortcuts(actions: ShellActions) {
  const navigate = useNavigate();
  const { slug } = useParams({ strict: false });
  const pages = usePages().map(({ shortcut, to }) => [
    shortcut,
    () => (slug === undefined ? undefined : void navigate({ to, params: { slug } })),
  ]);
  useShortcuts({
    "mod+k": actions.openPalette,
    "?": actions.openShortcuts,
    "/": focusSearch,
    "g p": () => void navigate({ to: "/projects" }),
    ...(Object.fromEntries(pages) as Record<string, () => void>),
  });
}

export function SignedInLayout() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [palette, setPalette] = useState<"unused" | "open" | "closed">("unused");
  const [sheetOpen, setSheetOpen] = useState(false);
  const [isTouring, setTouring] = useState(false);
  const endTour = useCallback(() => setTouring(false), []);
  const actions = useMemo<ShellActions>(
    () => ({
      openPalette: () => setPalette("open"),
      openShortcuts: () => setSheetOpen(true),
      startTour: () => setTouring(true),
      signOut: () => {
        send("post", "/auth/logout", {})
          .then(() => navigate({ to: "/login" }))
          .then(() => queryClient.clear())
          .catch((error: unknown) => toast.error(problemMessage(error)));
      },
    }),
    [navigate, queryClient],
  );
  useGlobalShortcuts(actions);
  return (
    <ShellActionsContext value={actions}>
      <TooltipProvider>
        <Outlet />
        <ShortcutSheet open={sheetOpen} onOpenChanged={setSheetOpen} />
        {palette === "unused" ? null : (
          <Suspense>
            <CommandPalette
              open={palette === "open"}
              onOpenChanged={(open) => setPalette(open ? "open" : "closed")}
            />
          </Suspense>
        )}
        {isTouring ? (
          <Suspense>
            <Tour onClosed={endTour} />
          </Suspense>
        ) : null}
      </TooltipProvider>
    </ShellActionsContext>
  );
}
