import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useShownTheme, useTheme, watchTheme } from "./theme";

afterEach(() => {
  vi.restoreAllMocks();
});

it("is that of the system again when the system changes its own", () => {
  const system = Object.assign(new EventTarget(), { matches: false });
  vi.spyOn(window, "matchMedia").mockReturnValue(system as MediaQueryList);
  watchTheme();
  const { result } = renderHook(() => ({ chosen: useTheme(), shown: useShownTheme() }));
  expect(result.current).toEqual({ chosen: "system", shown: "light" });
  system.matches = true;
  act(() => {
    system.dispatchEvent(new Event("change"));
  });
  expect(result.current).toEqual({ chosen: "system", shown: "dark" });
});
