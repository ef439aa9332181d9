import { createContext, useContext } from "react";

export interface ShellActions {
  openPalette: () => void;
  openShortcuts: () => void;
  startTour: () => void;
  signOut: () => void;
}

const noop = () => undefined;

export const ShellActionsContext = createContext<ShellActions>({
  openPalette: noop,
  openShortcuts: noop,
  startTour: noop,
  signOut: noop,
});

export function useShellActions(): ShellActions {
  return useContext(ShellActionsContext);
}
