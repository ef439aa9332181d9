import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import type { Model } from "@/api/types";
import { ModelSelect } from "@/components/model-chooser/model-select";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format";
import { useDebounced } from "@/lib/hooks";
import { countCharacters } from "./content";
import { tokenCountQuery, type Conversation } from "@/api/prompts";

const COUNT_DELAY = 600;

/** The chosen model, else the project's default, else any active one. */
function chosenModel(models: readonly Model[], modelId: string | undefined): Model | undefined {
  const usable = models.filter((model) => model.is_enabled);
  return (
    usable.find((model) => model.id === modelId) ??
    usable.find((model) => model.is_default) ??
    usable[0]
  );
}

export interface TokenCountProps {
  slug: string;
  modelId: string | undefined;
  conversation: Conversation;
}

/** Renders nothing while the project has no model. */
export function TokenCount({ slug, modelId, conversation }: TokenCountProps) {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery(slug));
  const model = chosenModel(models.data ?? [], modelId);
  const settled = useDebounced(conversation, COUNT_DELAY);
  const count = useQuery({
    ...tokenCountQuery(slug, model?.id ?? "", settled),
    enabled: model !== undefined,
  });
  if (model === undefined || count.data === undefined) {
    return null;
  }
  const { tokens, method, fits_context } = count.data;
  return (
    <span
      data-testid="token-count"
      title={method === "estimate" ? t("prompts.count.estimateHint") : undefined}
      className={cn("tabular-nums", fits_context === false && "text-danger")}
    >
      {method === "estimate"
        ? t("prompts.count.estimate", { count: tokens, tokens: formatNumber(tokens) })
        : t("prompts.count.tokens", { count: tokens, tokens: formatNumber(tokens) })}
      {fits_context === false
        ? ` · ${t("prompts.count.tooMany", { model: model.display_name })}`
        : ""}
    </span>
  );
}

export interface ModelChoiceProps {
  slug: string;
  modelId: string | undefined;
  onModelChosen: (modelId: string) => void;
}

export function ModelChoice({ slug, modelId, onModelChosen }: ModelChoiceProps) {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery(slug));
  const model = chosenModel(models.data ?? [], modelId);
  if (models.data === undefined || model === undefined) {
    return null;
  }
  return (
    <ModelSelect
      size="sm"
      aria-label={t("prompts.count.model")}
      className="h-6 w-40"
      models={models.data}
      chosen={model.id}
      onChosen={onModelChosen}
    />
  );
}

/** Character count, computed locally on every key; only token counts need the server. */
export function CharacterCount({ text, limit }: { text: string; limit?: number }) {
  const { t } = useTranslation();
  const count = countCharacters(text);
  const characters = formatNumber(count);
  const isOver = limit !== undefined && count > limit;
  return (
    <span data-testid="character-count" className={cn("tabular-nums", isOver && "text-danger")}>
      {limit === undefined
        ? t("prompts.count.characters", { count, characters })
        : t("prompts.count.charactersOf", { characters, limit: formatNumber(limit) })}
    </span>
  );
}
