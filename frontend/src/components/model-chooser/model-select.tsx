import { ChevronDown } from "lucide-react";
import { Popover } from "radix-ui";
import { useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { CONTROL } from "@/components/ui/input";
import { cn } from "@/lib/cn";
import { modelSource } from "@/lib/model-source";
import { ModelListbox, type OtherChoice } from "./model-listbox";

export interface ModelSelectProps {
  /** Models on offer; those that are off are offered only while chosen. */
  models: readonly Model[];
  /** Id of a model; null is the other choice, or none. */
  chosen: string | null;
  onChosen: (modelId: string) => void;
  /** A choice besides the models, such as "no model". */
  other?: (OtherChoice & { onChosen: () => void }) | undefined;
  /** Whether models that are off are offered too: in filters of what they did. */
  offersAll?: boolean;
  placeholder?: string;
  disabled?: boolean;
  size?: "sm" | "md";
  className?: string;
  id?: string | undefined;
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
  "aria-required"?: true | undefined;
}

/** Choice of one model: a button that opens the list of models with a search box. */
export function ModelSelect(props: ModelSelectProps) {
  const { models, chosen, onChosen, other, offersAll = false, placeholder } = props;
  const { disabled = false, size = "md", className, ...rest } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const offered = models.filter(({ id, is_enabled }) => offersAll || is_enabled || id === chosen);
  const model = offered.find(({ id }) => id === chosen);
  const isAmbiguous =
    offered.filter(({ display_name }) => display_name === model?.display_name).length > 1;
  const label = model?.display_name ?? (chosen === null ? other?.label : undefined);
  const change = (next: boolean) => {
    setTyped("");
    setOpen(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isText = event.key.length === 1 && event.key !== " ";
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
    } else if (isText && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      setTyped(event.key);
      setOpen(true);
    }
  };
  return (
    <Popover.Root
      // Inside a dialog, only a modal list can be scrolled with the wheel.
      modal
      open={open}
      onOpenChange={change}
    >
      <Popover.Trigger
        type="button"
        role="combobox"
        aria-haspopup="dialog"
        disabled={disabled}
        id={rest.id}
        aria-label={rest["aria-label"]}
        aria-describedby={rest["aria-describedby"]}
        aria-invalid={rest["aria-invalid"]}
        aria-required={rest["aria-required"]}
        onKeyDown={onKeyDown}
        className={cn(
          CONTROL,
          "flex items-center justify-between gap-2 text-left",
          size === "sm" ? "h-8 px-2.5 text-xs" : "h-10 px-3",
          className,
        )}
      >
        <span className={cn("min-w-0 truncate", label === undefined && "text-ink-subtle")}>
          {label ?? placeholder ?? t("modelChooser.choose")}
          {model !== undefined && isAmbiguous ? (
            <span className="text-ink-muted"> · {modelSource(model, models)}</span>
          ) : null}
        </span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-subtle" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("modelChooser.title")}
          className="z-50 w-104 max-w-[calc(100vw-1rem)] min-w-(--radix-popover-trigger-width) animate-scale-in rounded-lg border border-border-strong bg-raised p-2 shadow-lg focus:outline-none"
        >
          <ModelListbox
            label={t("modelChooser.title")}
            models={offered}
            chosen={chosen}
            other={other}
            typed={typed}
            onChosen={(modelId) => {
              change(false);
              if (modelId === null) {
                other?.onChosen();
              } else {
                onChosen(modelId);
              }
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
