import { useInfiniteQuery } from "@tanstack/react-query";
import { Check, ChevronsUpDown, Plus } from "lucide-react";
import { Popover } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { promptsQuery } from "@/api/prompts";
import type { PromptSummary } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { SearchBox } from "@/components/search-box";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";

/** The prompt that was chosen last. Its page has a switcher of its own, which takes the focus. */
let chosenId: string | null = null;

/** Whether nothing in particular has the focus: the page as a whole gets it when it would be lost. */
const isFocusFree = () =>
  [document.body, document.getElementById("main-content")].some(
    (whole) => whole === document.activeElement,
  );

export interface PromptSwitcherProps {
  slug: string;
  promptId: string | null;
  canCreate: boolean;
  onPromptChosen: (promptId: string) => void;
  onCreateWanted: () => void;
}

interface PromptOptionProps {
  prompt: PromptSummary;
  isChosen: boolean;
  onChosen: () => void;
}

function PromptOption({ prompt, isChosen, onChosen }: PromptOptionProps) {
  const { t } = useTranslation();
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen || undefined}
        onClick={onChosen}
        className="flex min-h-9 w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left text-sm hover:bg-surface-hover"
      >
        <span className="min-w-0 flex-1 truncate">{prompt.name}</span>
        {prompt.kind === "grader" ? <Badge>{t("playground.prompt.grader")}</Badge> : null}
        <span className="shrink-0 text-xs text-ink-muted">
          {prompt.latest?.label ?? t("prompts.noVersion")}
        </span>
        <Check
          aria-hidden
          className={isChosen ? "size-4 shrink-0 text-accent-ink" : "invisible size-4 shrink-0"}
        />
      </button>
    </li>
  );
}

function PromptList(props: PromptSwitcherProps & { onClosed: () => void }) {
  const { slug, promptId, canCreate, onPromptChosen, onCreateWanted, onClosed } = props;
  const { t } = useTranslation();
  const [q, setQ] = useState<string>();
  const prompts = useInfiniteQuery(promptsQuery(slug, { q }));
  const close = (act: () => void) => () => {
    onClosed();
    act();
  };
  return (
    <div className="grid gap-2">
      <SearchBox label={t("playground.prompt.search")} value={q} onValueChanged={setQ} />
      {prompts.isPending ? (
        <LoadingStatus>
          <div className="grid gap-2 p-2">
            <Skeleton className="w-3/4" />
            <Skeleton className="w-1/2" />
          </div>
        </LoadingStatus>
      ) : null}
      <LoadError queries={[prompts]} />
      {prompts.data?.items.length === 0 ? (
        <p role="status" className="px-2.5 py-3 text-sm text-ink-muted">
          {t("playground.prompt.none")}
        </p>
      ) : null}
      <div className="max-h-72 overflow-y-auto">
        <ul aria-label={t("playground.prompt.list")} className="grid gap-0.5">
          {prompts.data?.items.map((prompt) => (
            <PromptOption
              key={prompt.id}
              prompt={prompt}
              isChosen={prompt.id === promptId}
              onChosen={close(() => {
                chosenId = prompt.id;
                onPromptChosen(prompt.id);
              })}
            />
          ))}
        </ul>
        {prompts.hasNextPage ? (
          <Button
            variant="ghost"
            size="sm"
            className="w-full"
            loading={prompts.isFetchingNextPage}
            onClick={() => void prompts.fetchNextPage()}
          >
            {t("ui.loadMore")}
          </Button>
        ) : null}
      </div>
      {canCreate ? (
        <Button variant="ghost" size="sm" className="justify-start" onClick={close(onCreateWanted)}>
          <Plus aria-hidden />
          {t("playground.prompt.create")}
        </Button>
      ) : null}
    </div>
  );
}

/** Prompt picker: search, choose, or create. */
export function PromptSwitcher(props: PromptSwitcherProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { promptId } = props;
  useEffect(() => {
    if (chosenId !== null && chosenId === promptId && isFocusFree()) {
      button.current?.focus();
      chosenId = null;
    }
  }, [promptId]);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button
          ref={button}
          variant="secondary"
          size="sm"
          iconOnly
          aria-label={t("playground.prompt.switch")}
          title={t("playground.prompt.switch")}
        >
          <ChevronsUpDown aria-hidden />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={t("playground.prompt.switch")}
          className="z-50 w-80 animate-scale-in rounded-lg border border-border-strong bg-raised p-2 shadow-lg focus:outline-none"
        >
          <PromptList {...props} onClosed={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
