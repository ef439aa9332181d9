import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { SimulatedBadge } from "@/components/simulated-badge";
import type { Draft } from "./wizard-step";

/** Models by role; simulated ones have a badge. */
export function ConfirmModels({ slug, draft }: { slug: string; draft: Draft }) {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery(slug)).data ?? [];
  const { judges, is_pairwise, pairwise_judge } = draft.judges;
  const parts = {
    answers: draft.models.models.map(({ model_id }) => model_id),
    judges: is_pairwise && pairwise_judge !== null ? [...judges, pairwise_judge] : judges,
    refiner: [draft.limits.refiner_model_id ?? judges[0]],
  };
  const named = (["answers", "judges", "refiner"] as const).map((part) => ({
    part,
    chosen: models.filter(({ id }) => parts[part].includes(id)),
  }));
  if (named.every(({ chosen }) => chosen.length === 0)) {
    return null;
  }
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 border-t border-border pt-4 text-sm">
      {named.map(({ part, chosen }) =>
        chosen.length === 0 ? null : (
          <div key={part} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-muted">{t(`wizard.confirm.models.${part}`)}</dt>
            <dd>
              <ul className="grid gap-1.5">
                {chosen.map((model) => (
                  <li key={model.id} className="flex flex-wrap items-center gap-2 wrap-anywhere">
                    {model.display_name}
                    {model.is_simulated ? <SimulatedBadge /> : null}
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
