import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import {
  useRef,
  useState,
  type Dispatch,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";
import { keyAction, NARROWEST, WIDEST, type LayoutAction, type LayoutState } from "./layout-state";

export interface LayoutProps {
  state: LayoutState;
  dispatch: Dispatch<LayoutAction>;
}

/** Switches between the layouts. */
export function LayoutToggle({ state, dispatch }: LayoutProps) {
  const { t } = useTranslation();
  const isFocused = state.layout === "focus";
  const label = t(isFocused ? "playground.layout.balance" : "playground.layout.focus");
  return (
    <Tooltip content={label}>
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        aria-label={label}
        onClick={() => dispatch({ type: "toggled" })}
      >
        {isFocused ? <PanelLeftClose aria-hidden /> : <PanelLeftOpen aria-hidden />}
      </Button>
    </Tooltip>
  );
}

export interface PanelsProps extends LayoutProps {
  left: ReactNode;
  right: ReactNode;
}

/** Two panels with a splitter for mouse and keyboard. */
export function Panels({ state, dispatch, left, right }: PanelsProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const [isDragged, setDragged] = useState(false);
  const share = state.shares[state.layout];
  const onPointerMove = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (isDragged && box !== undefined) {
      dispatch({ type: "resized", share: (100 * (event.clientX - box.left)) / box.width });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyAction(event.key, state);
    if (action !== null) {
      event.preventDefault();
      dispatch(action);
    }
  };
  return (
    <div
      ref={frame}
      data-layout={state.layout}
      className="flex min-h-0 min-w-0 flex-1 max-md:flex-col max-md:overflow-y-auto"
    >
      <section
        aria-label={t("playground.layout.left")}
        style={{ "--share": `${share}%` } as React.CSSProperties}
        className={cn(
          "@container min-w-0 overflow-y-auto max-md:shrink-0 md:min-w-76 md:shrink-0 md:grow-0 md:basis-(--share)",
          !isDragged && "transition-[flex-basis] duration-300 ease-spring",
        )}
      >
        <div className="contents @max-xs:[&_[role=tab]]:px-2">{left}</div>
      </section>
      <div
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t("playground.layout.splitter")}
        aria-valuemin={NARROWEST}
        aria-valuemax={WIDEST}
        aria-valuenow={share}
        title={t("playground.layout.splitterHint")}
        onKeyDown={onKeyDown}
        onDoubleClick={() => dispatch({ type: "reset" })}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(true);
        }}
        onPointerMove={onPointerMove}
        onPointerUp={() => setDragged(false)}
        onPointerCancel={() => setDragged(false)}
        className="group relative z-10 -mx-1 flex w-2.5 shrink-0 cursor-col-resize touch-none justify-center max-md:hidden"
      >
        <span
          className={cn(
            "w-px bg-border transition-colors group-hover:bg-accent-solid group-focus-visible:w-0.5 group-focus-visible:bg-accent-solid",
            isDragged && "w-0.5 bg-accent-solid",
          )}
        />
      </div>
      <section
        aria-label={t("playground.layout.right")}
        className="flex min-h-0 min-w-0 flex-1 flex-col max-md:min-h-[36rem]"
      >
        {right}
      </section>
    </div>
  );
}
