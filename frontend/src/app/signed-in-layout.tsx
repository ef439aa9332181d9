import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { problemMessage } from "@/api/problem-message";
import { send } from "@/api/request";
import { toast } from "@/components/ui/toast";
import { useShortcuts } from "@/lib/shortcuts";
import type { NavigationEntry } from "./shell/navigation";
import { ShellActionsContext, type ShellActions } from "./shell/shell-actions";
import { ShortcutSheet } from "./shell/shortcut-sheet";

const CommandPalette = lazy(() =>
  import("./shell/command-palette").then((module) => ({ default: module.CommandPalette })),
);

function focusSearch() {
  document.querySelector<HTMLElement>("[data-page-search]")?.focus();
}

function useGlobalShortcuts(actions: ShellActions) {
  const navigate = useNavigate();
  const { slug } = useParams({ strict: false });
  const inProject = (to: NavigationEntry["to"]) =>
    slug === undefined ? () => undefined : () => void navigate({ to, params: { slug } });
  useShortcuts({
    "mod+k": actions.openPalette,
    "?": actions.openShortcuts,
    "/": focusSearch,
    "g p": () => void navigate({ to: "/projects" }),
    "g h": inProject("/p/$slug"),
    "g l": inProject("/p/$slug/playground"),
    "g r": inProject("/p/$slug/prompts"),
    "g u": inProject("/p/$slug/runs"),
    "g d": inProject("/p/$slug/datasets"),
    "g c": inProject("/p/$slug/scorers"),
    "g n": inProject("/p/$slug/annotation"),
    "g e": inProject("/p/$slug/experiments"),
    "g v": inProject("/p/$slug/reviews"),
    "g o": inProject("/p/$slug/models"),
    "g b": inProject("/p/$slug/budgets"),
    "g m": inProject("/p/$slug/members"),
    "g s": inProject("/p/$slug/settings"),
    "g a": inProject("/p/$slug/audit"),
    "g q": inProject("/p/$slug/operations"),
  });
}

export function SignedInLayout() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [palette, setPalette] = useState<"unused" | "open" | "closed">("unused");
  const [sheetOpen, setSheetOpen] = useState(false);
  const actions = useMemo<ShellActions>(
    () => ({
      openPalette: () => setPalette("open"),
      openShortcuts: () => setSheetOpen(true),
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
    </ShellActionsContext>
  );
}
