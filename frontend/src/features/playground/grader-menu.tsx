import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Cpu, FlaskConical, Scale } from "lucide-react";
import { DropdownMenu as Primitive } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { graderChoicesQuery, savedScorersQuery } from "@/api/scorers";
import type { Model, SavedScorerSummary } from "@/api/types";
import { ModelListbox } from "@/components/model-chooser/model-listbox";
import { Dialog } from "@/components/ui/dialog";
import {
  Menu,
  MenuCheck,
  MenuChoices,
  MenuItem,
  MenuLabel,
  MenuSeparator,
} from "@/components/ui/dropdown-menu";
import { PILL, PILL_TEXT } from "./pill";
import type { Graders } from "./session";

const NO_GRADER = "none";

export interface GraderMenuProps {
  slug: string;
  graders: Graders;
  models: readonly Model[];
  disabled: boolean;
  onGradersChanged: (graders: Graders) => void;
}

function toggled(graders: Graders, { latest, weight }: SavedScorerSummary): Graders {
  const rest = graders.scorers.filter(({ versionId }) => versionId !== latest.id);
  return {
    ...graders,
    scorers:
      rest.length < graders.scorers.length
        ? rest
        : [...rest, { versionId: latest.id, weight: weight > 0 ? weight : 1 }],
  };
}

/** Grader picker: one grader prompt, and any number of saved scorers. */
export function GraderMenu({ slug, graders, models, disabled, onGradersChanged }: GraderMenuProps) {
  const { t } = useTranslation();
  const queries = [useQuery(graderChoicesQuery(slug)), useQuery(savedScorersQuery(slug))] as const;
  const [{ data: prompts = [] }, { data: saved = [] }] = queries;
  const failed = queries.find((query) => query.isLoadingError);
  const usable = models.filter((model) => model.is_enabled);
  const names = [
    ...prompts.filter(({ id }) => id === graders.promptId).map(({ name }) => name),
    ...saved
      .filter(({ latest }) => graders.scorers.some(({ versionId }) => versionId === latest.id))
      .map(({ name }) => name),
  ];
  const choosePrompt = (value: string) =>
    onGradersChanged({
      ...graders,
      promptId: value === NO_GRADER ? null : value,
      modelId:
        graders.modelId ?? (usable.find((model) => model.is_default) ?? usable[0])?.id ?? null,
    });
  const none = t("playground.grader.none");
  const [isChoosing, setChoosing] = useState(false);
  const isLoading = queries.some((query) => query.isPending);
  const hasChosen = graders.promptId !== null || graders.scorers.length > 0;
  const unnamed = isLoading && hasChosen ? t("playground.grader.loading") : none;
  return (
    <>
      <Menu
        align="start"
        className="w-72"
        trigger={
          <button
            type="button"
            id="playground-grader"
            disabled={disabled}
            aria-label={t("playground.grader.label", {
              names: names.length === 0 ? unnamed : names.join(", "),
            })}
            title={names.length === 0 ? unnamed : names.join(", ")}
            className={PILL}
          >
            {names.length === 0 ? <FlaskConical aria-hidden /> : <Scale aria-hidden />}
            <span className={PILL_TEXT}>{names.length === 0 ? unnamed : names[0]}</span>
            {names.length > 1 ? <span>+{names.length - 1}</span> : null}
          </button>
        }
      >
        <MenuLabel>{t("playground.grader.prompt")}</MenuLabel>
        <MenuChoices
          label={t("playground.grader.prompt")}
          value={graders.promptId ?? NO_GRADER}
          options={[
            { value: NO_GRADER, label: t("playground.grader.noPrompt") },
            ...prompts.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValueChanged={choosePrompt}
        />
        {graders.promptId === null ? null : (
          <>
            <MenuLabel>{t("playground.grader.model")}</MenuLabel>
            <MenuItem onSelect={() => setChoosing(true)}>
              <Cpu aria-hidden />
              {usable.find(({ id }) => id === graders.modelId)?.display_name ??
                t("modelChooser.choose")}
            </MenuItem>
          </>
        )}
        {saved.length === 0 ? null : (
          <>
            <MenuSeparator />
            <Primitive.Group aria-label={t("playground.grader.scorers")}>
              <MenuLabel>{t("playground.grader.scorers")}</MenuLabel>
              {saved.map((scorer) => (
                <MenuCheck
                  key={scorer.id}
                  checked={graders.scorers.some(({ versionId }) => versionId === scorer.latest.id)}
                  onCheckedChanged={() => onGradersChanged(toggled(graders, scorer))}
                >
                  {scorer.name}
                </MenuCheck>
              ))}
            </Primitive.Group>
          </>
        )}
        <MenuSeparator />
        {failed === undefined ? null : (
          <MenuItem
            onSelect={(event) => {
              event.preventDefault();
              void failed.refetch();
            }}
          >
            {t("playground.grader.failed", { message: problemMessage(failed.error) })}
          </MenuItem>
        )}
        <MenuItem asChild>
          <Link to="/p/$slug/scorers" params={{ slug }}>
            {t("playground.grader.manage")}
          </Link>
        </MenuItem>
      </Menu>
      {isChoosing ? (
        <Dialog open onOpenChanged={setChoosing} title={t("playground.grader.model")}>
          <ModelListbox
            label={t("playground.grader.model")}
            models={usable}
            chosen={graders.modelId}
            onChosen={(modelId) => {
              setChoosing(false);
              onGradersChanged({ ...graders, modelId });
            }}
          />
        </Dialog>
      ) : null}
    </>
  );
}
