/** Where an element is in the document: its ancestors, the nearest first, and its place in each. */
export interface Place {
  element: Element;
  steps: readonly { parent: Element; index: number }[];
}

const FOCUSABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]";

export function isVisible(element: Element): boolean {
  // Not every environment knows what is visible.
  return !("checkVisibility" in element) || element.checkVisibility({ visibilityProperty: true });
}

function canTakeFocus(element: HTMLElement): boolean {
  return isVisible(element) && element.tabIndex >= 0 && element.closest("[inert]") === null;
}

function controlsOf(element: Element): HTMLElement[] {
  const inside = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
  return element instanceof HTMLElement && element.matches(FOCUSABLE)
    ? [element, ...inside]
    : inside;
}

function focus(element: HTMLElement): void {
  if (element.tabIndex < 0 && !element.hasAttribute("tabindex")) {
    element.setAttribute("tabindex", "-1");
  }
  element.focus({ preventScroll: true });
}

export function placeOf(element: Element): Place {
  const steps = [];
  for (let child = element; child.parentElement !== null; child = child.parentElement) {
    const parent = child.parentElement;
    steps.push({ parent, index: Array.prototype.indexOf.call(parent.children, child) });
  }
  return { element, steps };
}

/** The control of the next row, or of the last one, that corresponds to the removed one. */
function neighbour(place: Place, at: number): HTMLElement | undefined {
  const step = place.steps[at];
  const removed = at === 0 ? place.element : place.steps[at - 1]?.parent;
  if (step === undefined || removed === undefined) {
    return undefined;
  }
  const siblings = step.parent.children;
  const sibling = siblings[Math.min(step.index, siblings.length - 1)];
  const controls = sibling === undefined ? [] : controlsOf(sibling).filter(canTakeFocus);
  const before = controlsOf(removed).indexOf(place.element as HTMLElement);
  return controls[Math.min(Math.max(before, 0), controls.length - 1)];
}

/** The heading of the nearest part of the page that has one. */
function headingAround(place: Place, at: number): HTMLElement | undefined {
  return place.steps
    .slice(at)
    .filter(({ parent }) => parent.closest("main, [role=dialog]") !== null)
    .flatMap(({ parent }) => [...parent.querySelectorAll<HTMLElement>("h1, h2, h3, h4")])
    .find(isVisible);
}

/**
 * Moves the focus to what is nearest to an element that was removed or hidden: the next row, the
 * heading of its part of the page, or the page.
 */
export function focusNearby(place: Place): void {
  const at = place.steps.findIndex(({ parent }) => parent.isConnected && isVisible(parent));
  const parent = place.steps[at]?.parent;
  const removed = at === 0 ? place.element : place.steps[at - 1]?.parent;
  const isPage = parent?.closest("main, [role=dialog]") == null || removed?.querySelector("h1");
  const target = isPage ? undefined : (neighbour(place, at) ?? headingAround(place, at));
  const fallback =
    parent?.closest<HTMLElement>("[role=dialog]") ?? document.getElementById("main-content");
  const found = target ?? fallback;
  if (found !== null) {
    focus(found);
  }
}
