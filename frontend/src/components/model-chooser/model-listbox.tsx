import { Check } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { PriceText } from "@/components/model-prices/price-text";
import { SimulatedBadge } from "@/components/simulated-badge";
import { cn } from "@/lib/cn";
import { EVERY_MODEL, findModels, groupBySource } from "./find-models";
import { ModelFilterFields } from "./model-filter-fields";

/** A choice besides the models, such as "no model"; its id is null. */
export interface OtherChoice {
  label: string;
  description?: string | undefined;
}

interface OptionProps {
  id: string;
  label: string;
  isChosen: boolean;
  isActive: boolean;
  onPointed: () => void;
  onChosen: () => void;
  model?: Model;
  description?: string | undefined;
}

function Option(props: OptionProps) {
  const { id, label, isChosen, isActive, model, description, onPointed, onChosen } = props;
  const { t } = useTranslation();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) {
      ref.current?.scrollIntoView({ block: "nearest" });
    }
  }, [isActive]);
  return (
    // The search box keeps the focus and handles the keys.
    <div
      ref={ref}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-more`}
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={onPointed}
      onClick={onChosen}
      className={cn(
        "flex cursor-default items-center gap-2 rounded-md px-2 py-1.5 text-sm select-none",
        isActive && "bg-surface-hover",
      )}
    >
      <Check
        aria-hidden
        className={cn("size-4 shrink-0 text-accent-ink", !isChosen && "invisible")}
      />
      <span id={`${id}-name`} className="min-w-0 font-medium wrap-anywhere">
        {label}
      </span>
      <span
        id={`${id}-more`}
        className="ml-auto flex shrink-0 items-center gap-2 text-xs text-ink-muted"
      >
        {model?.is_simulated === true ? <SimulatedBadge /> : null}
        {model?.is_enabled === false ? t("modelChooser.off") : null}
        {model === undefined ? description : <PriceText prices={model.prices} />}
      </span>
    </div>
  );
}

export interface ModelListboxProps {
  /** Accessible name of the list. */
  label: string;
  models: readonly Model[];
  chosen: string | null;
  onChosen: (modelId: string | null) => void;
  other?: OtherChoice | undefined;
  /** Text to search for at first. */
  typed?: string;
  /** Part of a form, not of a popover: takes the focus only when asked to. */
  isInline?: boolean;
}

/** Search box with the models found below it: the arrow keys move, Enter chooses. */
export function ModelListbox(props: ModelListboxProps) {
  const { label, models, chosen, onChosen, other, typed = "", isInline = false } = props;
  const { t } = useTranslation();
  const id = useId();
  const [filter, setFilter] = useState({ ...EVERY_MODEL, q: typed });
  const [active, setActive] = useState<string | null | undefined>(undefined);
  const groups = groupBySource(findModels(models, filter), models);
  const isNarrowed = filter.q.trim() !== "" || filter.provider !== null;
  const ids: (string | null)[] = [
    ...(other === undefined || isNarrowed ? [] : [null]),
    ...groups.flatMap((group) => group.models.map((model) => model.id)),
  ];
  const current = [active, chosen].find((each) => each !== undefined && ids.includes(each));
  const at = Math.max(0, current === undefined ? 0 : ids.indexOf(current));
  const optionId = (index: number) => `${id}-${index}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && ids.length > 0) {
      event.preventDefault();
      setActive(ids[(at + step + ids.length) % ids.length]);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      const next = ids[at];
      // Enter on what is chosen already is left to the form around the list.
      if (next !== undefined && (next !== chosen || !isInline)) {
        event.preventDefault();
        onChosen(next);
      }
    }
  };
  const optionOf = (modelId: string | null) => {
    const index = ids.indexOf(modelId);
    return {
      id: optionId(index),
      isChosen: modelId === chosen,
      isActive: index === at,
      onPointed: () => setActive(modelId),
      onChosen: () => onChosen(modelId),
    };
  };
  return (
    <div className="grid gap-2">
      <ModelFilterFields
        models={models}
        filter={filter}
        onFilterChanged={(next) => {
          setActive(undefined);
          setFilter(next);
        }}
        search={{
          role: "combobox",
          "aria-expanded": true,
          "aria-autocomplete": "list",
          "aria-controls": id,
          "aria-activedescendant": ids.length === 0 ? undefined : optionId(at),
          autoComplete: "off",
          autoFocus: !isInline,
          onKeyDown,
        }}
      />
      <div
        id={id}
        role="listbox"
        aria-label={label}
        className="grid max-h-72 gap-2 overflow-y-auto"
      >
        {ids.includes(null) && other !== undefined ? (
          <Option {...optionOf(null)} label={other.label} description={other.description} />
        ) : null}
        {groups.map(({ source, models: members }, group) => (
          <div key={source} role="group" aria-labelledby={`${id}-group-${group}`}>
            <p id={`${id}-group-${group}`} className="px-2 py-1 text-xs font-medium text-ink-muted">
              {source}
            </p>
            {members.map((model) => (
              <Option
                key={model.id}
                {...optionOf(model.id)}
                label={model.display_name}
                model={model}
              />
            ))}
          </div>
        ))}
      </div>
      {ids.length > 0 ? null : (
        <p role="status" className="py-4 text-center text-sm text-ink-muted">
          {t("modelChooser.noMatch")}
        </p>
      )}
    </div>
  );
}
