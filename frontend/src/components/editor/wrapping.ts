import { storedChoice } from "@/lib/stored-choice";

/** Line wrapping setting, shared by all editors and stored in the browser. */
const wrapping = storedChoice("edison-editor-wrap", ["on", "off"], "on");

export function toggleWrapping(): void {
  wrapping.set(wrapping.get() === "on" ? "off" : "on");
}

export function useWrapping(): boolean {
  return wrapping.use() === "on";
}
