import { createContext, useContext } from "react";

export interface ShellActions {
  openPalette: () => void;
  openShortcuts: () => void;
  signOut: () => void;
}

const nothing = () => undefined;

export const ShellActionsContext = createContext<ShellActions>({
  openPalette: nothing,
  openShortcuts: nothing,
  signOut: nothing,
});

export function useShellActions(): ShellActions {
  return useContext(ShellActionsContext);
}
