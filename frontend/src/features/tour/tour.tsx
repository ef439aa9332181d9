import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { projectChoicesQuery } from "@/api/projects";
import { query } from "@/api/queries";
import type { Project } from "@/api/types";
import { STEPS } from "./steps";
import { TourCard } from "./tour-card";
import { useAnchor } from "./use-anchor";

/** The newest finished experiment, whose page shows the proven gain. */
const finishedQuery = (slug: string) =>
  query("/projects/{project}/experiments", {
    project: slug,
    query: { state: "completed", limit: 1 },
  });

function useStepPage(slug: string, index: number) {
  const navigate = useNavigate();
  const finished = useQuery(finishedQuery(slug));
  const isKnown = !finished.isPending;
  const experimentId = finished.data?.items[0]?.id;
  const step = STEPS[index];
  useEffect(() => {
    if (step?.key === "experiment" && experimentId !== undefined) {
      const params = { slug, experimentId };
      void navigate({ to: "/p/$slug/experiments/$experimentId", params });
    } else if (step !== undefined && isKnown) {
      void navigate({ to: step.to, params: { slug } });
    }
  }, [navigate, slug, step, isKnown, experimentId]);
}

function Steps({ slug, onEnded }: { slug: string; onEnded: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [index, setIndex] = useState(0);
  useStepPage(slug, index);
  const step = STEPS[index] ?? STEPS[0];
  const box = useAnchor(step.anchor);
  const isLast = index === STEPS.length - 1;
  const finish = () => {
    onEnded();
    void navigate({ to: "/projects", search: { create: true } });
  };
  return (
    <>
      {box === null ? null : (
        <div
          aria-hidden
          style={{
            top: box.top - 6,
            left: box.left - 6,
            width: box.width + 12,
            height: box.height + 12,
          }}
          className="pointer-events-none fixed z-40 rounded-xl border-2 border-accent-ink"
        />
      )}
      <TourCard
        title={t(`tour.steps.${step.key}.title`)}
        number={index + 1}
        count={STEPS.length}
        box={box}
        onBack={index === 0 ? null : () => setIndex(index - 1)}
        onNext={isLast ? finish : () => setIndex(index + 1)}
        onEnded={onEnded}
        nextLabel={t(isLast ? "tour.create" : "tour.next")}
      >
        {t(`tour.steps.${step.key}.text`)}
      </TourCard>
    </>
  );
}

/** Guided tour of the demo project. */
export function Tour({ onClosed }: { onClosed: () => void }) {
  const { t } = useTranslation();
  const projects = useQuery(projectChoicesQuery);
  const end = useCallback(() => {
    onClosed();
    document.getElementById("main-content")?.focus({ preventScroll: true });
  }, [onClosed]);
  if (projects.data === undefined) {
    return null;
  }
  const isDemo = ({ is_demo, archived_at }: Project) => is_demo && archived_at === null;
  const demo = projects.data.find(isDemo);
  return createPortal(
    demo === undefined ? (
      <TourCard
        title={t("tour.none.title")}
        number={1}
        count={1}
        box={null}
        onBack={null}
        onNext={end}
        onEnded={end}
        nextLabel={t("tour.end")}
      >
        {t("tour.none.text")}
      </TourCard>
    ) : (
      <Steps slug={demo.slug} onEnded={end} />
    ),
    document.body,
  );
}
