import "@/lib/zod-jitless";
import "@/lib/i18n";
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { toast } from "sonner";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { fakeServer } from "./fake-server";

// jsdom has no layout; these are the browser APIs that Radix needs.
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), { matches: false, media, onchange: null }) as MediaQueryList;
window.scrollTo = vi.fn();
globalThis.ResizeObserver = class {
  observe = vi.fn();
  unobserve = vi.fn();
  disconnect = vi.fn();
};
// Editors measure their text; empty rectangles are enough.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Element.prototype.scrollIntoView = vi.fn();
Element.prototype.hasPointerCapture = () => false;
Element.prototype.setPointerCapture = vi.fn();
Element.prototype.releasePointerCapture = vi.fn();

// Generous, for busy machines; faster results are not delayed.
configure({ asyncUtilTimeout: 20_000 });

beforeAll(() => fakeServer.listen({ onUnhandledRequest: "error" }));
afterEach(() => {
  cleanup();
  // Toasts outlive the page that showed them.
  toast.dismiss();
  localStorage.clear();
  fakeServer.resetHandlers();
});
afterAll(() => fakeServer.close());
