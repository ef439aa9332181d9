/** Panel layouts: room for writing (`focus`), or for answers (`balanced`). */
export const LAYOUTS = ["focus", "balanced"] as const;
export type Layout = (typeof LAYOUTS)[number];

export interface LayoutState {
  layout: Layout;
  /** Width of the editor per layout, in percent; changed by the splitter. */
  shares: Readonly<Record<Layout, number>>;
}

export const NARROWEST = 20;
export const WIDEST = 80;
const STEP = 5;
const KEY = "edison-playground-layout";

export const FIRST_LAYOUT: LayoutState = {
  layout: "balanced",
  shares: { focus: 65, balanced: 30 },
};

export type LayoutAction =
  | { type: "editing" }
  | { type: "looking" }
  | { type: "toggled" }
  | { type: "resized"; share: number }
  | { type: "reset" };

const within = (share: number) => Math.min(WIDEST, Math.max(NARROWEST, Math.round(share)));

export function reduceLayout(state: LayoutState, action: LayoutAction): LayoutState {
  switch (action.type) {
    case "editing":
      return { ...state, layout: "focus" };
    case "looking":
      return { ...state, layout: "balanced" };
    case "toggled":
      return { ...state, layout: state.layout === "focus" ? "balanced" : "focus" };
    case "resized":
      return { ...state, shares: { ...state.shares, [state.layout]: within(action.share) } };
    case "reset":
      return {
        ...state,
        shares: { ...state.shares, [state.layout]: FIRST_LAYOUT.shares[state.layout] },
      };
  }
}

/** Action of a key on the splitter; null when the key has none. */
export function keyAction(key: string, { layout, shares }: LayoutState): LayoutAction | null {
  const share = shares[layout];
  switch (key) {
    case "ArrowLeft":
      return { type: "resized", share: share - STEP };
    case "ArrowRight":
      return { type: "resized", share: share + STEP };
    case "Home":
      return { type: "resized", share: NARROWEST };
    case "End":
      return { type: "resized", share: WIDEST };
    case "Enter":
      return { type: "toggled" };
    default:
      return null;
  }
}

export function readLayout(): LayoutState {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<LayoutState> | null;
    const shares = stored?.shares;
    return {
      layout: LAYOUTS.find((layout) => layout === stored?.layout) ?? FIRST_LAYOUT.layout,
      shares: {
        focus: within(Number(shares?.focus) || FIRST_LAYOUT.shares.focus),
        balanced: within(Number(shares?.balanced) || FIRST_LAYOUT.shares.balanced),
      },
    };
  } catch {
    return FIRST_LAYOUT;
  }
}

export function writeLayout(state: LayoutState): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // Without storage the page starts balanced.
  }
}
