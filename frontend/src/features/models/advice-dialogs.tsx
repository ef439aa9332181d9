import { useQuery } from "@tanstack/react-query";
import { Brain, Scale, Zap } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { modelAdviceQuery } from "@/api/models";
import { problemMessage } from "@/api/problem-message";
import type { Model, ModelAdvice } from "@/api/types";
import { FormAlert } from "@/components/form-alert";
import { PriceText } from "@/components/model-prices/price-text";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { formatPrice } from "@/lib/format";
import { useDisableModels } from "./queries";

type Role = ModelAdvice["balanced_set"][number]["role"];

const ICONS: Record<Role, ReactNode> = {
  fast: <Zap aria-hidden />,
  balanced: <Scale aria-hidden />,
  smart: <Brain aria-hidden />,
};

interface FrameProps {
  slug: string;
  kind: "balanced" | "costly";
  onClosed: () => void;
  children: (advice: ModelAdvice) => ReactNode;
}

function AdviceFrame({ slug, kind, onClosed, children }: FrameProps) {
  const { t } = useTranslation();
  const advice = useQuery(modelAdviceQuery(slug));
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="lg"
      title={t(`models.advice.${kind}.title`)}
      description={t(`models.advice.${kind}.description`)}
    >
      {advice.isPending ? (
        <FormSkeleton fields={3} />
      ) : advice.isError ? (
        <ProblemState error={advice.error} onRetry={() => void advice.refetch()} />
      ) : (
        children(advice.data)
      )}
    </Dialog>
  );
}

interface DisableFooterProps {
  slug: string;
  modelIds: readonly string[];
  label: string;
  onClosed: () => void;
}

function DisableFooter({ slug, modelIds, label, onClosed }: DisableFooterProps) {
  const { t } = useTranslation();
  const disable = useDisableModels(slug);
  return (
    <>
      <FormAlert message={disable.error === null ? null : problemMessage(disable.error)} />
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("ui.cancel")}
        </Button>
        <Button
          disabled={modelIds.length === 0}
          loading={disable.isPending}
          onClick={() =>
            disable.mutate(modelIds, {
              onSuccess: () => {
                toast.success(t("models.advice.disabled", { count: modelIds.length }));
                onClosed();
              },
            })
          }
        >
          {label}
        </Button>
      </DialogFooter>
    </>
  );
}

function ModelLine({ model, children }: { model: Model; children?: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
      <span className="min-w-0 text-sm font-medium wrap-anywhere">{model.display_name}</span>
      <span className="text-sm text-ink-muted">
        <PriceText prices={model.prices} />
      </span>
      {children}
    </div>
  );
}

export interface BalancedDialogProps {
  slug: string;
  models: readonly Model[];
  onClosed: () => void;
}

/** Recommends a fast, a balanced and a smart model, and offers to disable the others. */
export function BalancedDialog({ slug, models, onClosed }: BalancedDialogProps) {
  const { t } = useTranslation();
  return (
    <AdviceFrame slug={slug} kind="balanced" onClosed={onClosed}>
      {(advice) => {
        const kept = new Set(advice.balanced_set.map((entry) => entry.model.id));
        const others = models.filter((model) => model.is_enabled && !kept.has(model.id));
        if (kept.size === 0) {
          return <Alert tone="info">{t("models.advice.balanced.none")}</Alert>;
        }
        return (
          <>
            <ul className="grid gap-2">
              {advice.balanced_set.map(({ role, model, reason }) => (
                <li key={role} className="grid gap-2 rounded-lg border border-border p-4">
                  <div className="flex items-center gap-3">
                    <Badge tone="accent" icon={ICONS[role]}>
                      {t(`models.advice.roles.${role}`)}
                    </Badge>
                    <ModelLine model={model} />
                  </div>
                  <p className="text-xs text-ink-muted">{reason}</p>
                </li>
              ))}
            </ul>
            <p className="text-sm text-ink-muted">
              {others.length === 0
                ? t("models.advice.balanced.already")
                : t("models.advice.balanced.others", {
                    count: others.length,
                    names: others.map((model) => model.display_name).join(", "),
                  })}
            </p>
            <DisableFooter
              slug={slug}
              modelIds={others.map((model) => model.id)}
              label={t("models.advice.balanced.apply")}
              onClosed={onClosed}
            />
          </>
        );
      }}
    </AdviceFrame>
  );
}

function CostlyList({
  advice,
  slug,
  onClosed,
}: {
  advice: ModelAdvice;
  slug: string;
  onClosed: () => void;
}) {
  const { t } = useTranslation();
  const [spared, setSpared] = useState<ReadonlySet<string>>(new Set());
  const doomed = advice.costly.map(({ model }) => model.id).filter((id) => !spared.has(id));
  const limit = formatPrice(String(Number(advice.limit_usd_per_thousand) * 1000), "thousand");
  return (
    <>
      {advice.costly.length === 0 ? (
        <Alert tone="success" live={false}>
          {t("models.advice.costly.none", { limit })}
        </Alert>
      ) : (
        <ul className="divide-y divide-border rounded-lg border border-border">
          {advice.costly.map(({ model, reason }) => (
            <li key={model.id} className="flex items-start gap-4 px-4 py-3">
              <div className="min-w-0 flex-1">
                <Checkbox
                  label={<span className="font-medium wrap-anywhere">{model.display_name}</span>}
                  description={reason}
                  checked={!spared.has(model.id)}
                  onCheckedChanged={(checked) => {
                    const next = new Set(spared);
                    if (checked) {
                      next.delete(model.id);
                    } else {
                      next.add(model.id);
                    }
                    setSpared(next);
                  }}
                />
              </div>
              <span className="text-sm">
                <PriceText prices={model.prices} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {advice.unpriced.length === 0 ? null : (
        <section className="grid gap-1">
          <h3 className="text-sm font-medium">{t("models.advice.costly.unpriced")}</h3>
          <p className="text-sm text-ink-muted">
            {advice.unpriced.map((model) => model.display_name).join(", ")}
          </p>
        </section>
      )}
      <DisableFooter
        slug={slug}
        modelIds={doomed}
        label={t("models.advice.costly.apply", { count: doomed.length })}
        onClosed={onClosed}
      />
    </>
  );
}

/** Models above the price limit, each of which can be disabled. */
export function CostlyDialog({ slug, onClosed }: { slug: string; onClosed: () => void }) {
  return (
    <AdviceFrame slug={slug} kind="costly" onClosed={onClosed}>
      {(advice) => <CostlyList advice={advice} slug={slug} onClosed={onClosed} />}
    </AdviceFrame>
  );
}
