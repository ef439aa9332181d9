import { Ban, RotateCw } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Spinner } from "@/components/ui/spinner";
import { failureLabel } from "@/lib/failures";
import { formatCost, formatNumber, formatSeconds } from "@/lib/format";
import { useCountdown } from "@/lib/hooks";
import { countDown, type Answered, type TryState, type Waiting } from "./try-state";

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-xs text-ink-muted">{label}</dt>
      <dd className="text-sm font-medium wrap-anywhere tabular-nums">{children}</dd>
    </div>
  );
}

function SideNote({ children }: { children: ReactNode }) {
  return <span className="block text-xs font-normal text-ink-muted">{children}</span>;
}

function TokenFacts({ usage }: { usage: NonNullable<Answered["usage"]> }) {
  const { t } = useTranslation();
  const about = usage.is_estimated ? "≈ " : "";
  return (
    <>
      <Fact label={t("models.try.tokensIn")}>
        {about}
        {formatNumber(usage.input_tokens)}
        {usage.cached_input_tokens > 0 ? (
          <SideNote>
            {t("models.try.cachedTokens", { tokens: formatNumber(usage.cached_input_tokens) })}
          </SideNote>
        ) : null}
      </Fact>
      <Fact label={t("models.try.tokensOut")}>
        {about}
        {formatNumber(usage.output_tokens)}
        {usage.reasoning_tokens > 0 ? (
          <SideNote>
            {t("models.try.reasoningTokens", { tokens: formatNumber(usage.reasoning_tokens) })}
          </SideNote>
        ) : null}
      </Fact>
    </>
  );
}

function Cost({ answer }: { answer: Answered }) {
  const { t } = useTranslation();
  if (answer.is_cached) {
    return t("models.try.free");
  }
  return answer.cost_usd === null ? (
    <span className="text-warning">{t("models.prices.unknown")}</span>
  ) : (
    <>
      <span title={`$${answer.cost_usd}`}>{formatCost(answer.cost_usd)}</span>
      {answer.is_simulated ? <SideNote>{t("models.try.simulatedCost")}</SideNote> : null}
    </>
  );
}

function TimeFacts({ answer }: { answer: Answered }) {
  const { t } = useTranslation();
  return (
    <>
      <Fact label={t("models.try.latency")}>
        {formatSeconds(answer.latency_seconds)}
        {answer.waited_seconds > 0.05 ? (
          <SideNote>
            {t("models.try.waited", { time: formatSeconds(answer.waited_seconds) })}
          </SideNote>
        ) : null}
      </Fact>
      {answer.first_token_seconds === null ? null : (
        <Fact label={t("models.try.firstToken")}>{formatSeconds(answer.first_token_seconds)}</Fact>
      )}
    </>
  );
}

function AnswerFacts({ answer }: { answer: Answered }) {
  const { t } = useTranslation();
  const finish = ["stop", "length", "tool_calls", "content_filter"] as const;
  const known = finish.find((reason) => reason === answer.finish_reason);
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
      {answer.usage === null ? null : <TokenFacts usage={answer.usage} />}
      <Fact label={t("models.try.cost")}>
        <Cost answer={answer} />
      </Fact>
      {/* Latencies of a cached answer are those of the original call. */}
      {answer.is_cached ? null : <TimeFacts answer={answer} />}
      <Fact label={t("models.try.finish.label")}>
        {known === undefined ? t("models.try.finish.other") : t(`models.try.finish.${known}`)}
      </Fact>
      <Fact label={t("models.try.model")}>
        <code className="text-xs">{answer.model}</code>
      </Fact>
      {answer.attempts > 1 ? <Fact label={t("models.try.attempts")}>{answer.attempts}</Fact> : null}
      {answer.ignored_parameters.length > 0 ? (
        <Fact label={t("models.try.ignored")}>
          <code className="text-xs">{answer.ignored_parameters.join(", ")}</code>
        </Fact>
      ) : null}
    </dl>
  );
}

function WaitingNote({ waiting }: { waiting: Waiting }) {
  const left = useCountdown(waiting.until);
  return (
    <Alert tone="warning" live={false}>
      {countDown(waiting, left)}
    </Alert>
  );
}

function Failure({ state }: { state: TryState }) {
  const { t } = useTranslation();
  const { failure, refusal } = state;
  if (failure !== null) {
    return (
      <Alert tone="danger" title={failureLabel(failure.reason)}>
        {failure.message}
        <span className="mt-1 block text-xs">
          <code>{failure.reason}</code>
          {failure.attempts > 1
            ? ` · ${t("models.try.afterAttempts", { count: failure.attempts })}`
            : ""}
          {failure.cost_usd === null || Number(failure.cost_usd) === 0
            ? ""
            : ` · ${t("models.try.stillCost", { cost: formatCost(failure.cost_usd) })}`}
        </span>
      </Alert>
    );
  }
  return refusal === null ? null : (
    <Alert tone="danger">
      {refusal.message}
      <span className="mt-1 block text-xs">
        <code>{refusal.code}</code>
      </span>
    </Alert>
  );
}

function useAnnouncement({ phase, waiting }: TryState): string {
  const { t } = useTranslation();
  if (phase === "running") {
    return waiting?.sentence ?? t("models.try.running");
  }
  return phase === "answered"
    ? t("models.try.done")
    : phase === "stopped"
      ? t("models.try.stopped")
      : "";
}

/** Scrolls to the answer when the phase changes, not while text is streamed. */
function useScrollIntoView(phase: TryState["phase"]) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView({ block: "nearest" });
  }, [phase]);
  return section;
}

export interface TryAnswerProps {
  state: TryState;
  onRunAgain: () => void;
}

/** State and answer of a model trial. The answer is shown as plain text. */
export function TryAnswer({ state, onRunAgain }: TryAnswerProps) {
  const { t } = useTranslation();
  const { phase, text, waiting, answer } = state;
  const spoken = useAnnouncement(state);
  const section = useScrollIntoView(phase);
  if (phase === "idle") {
    return null;
  }
  return (
    <section
      ref={section}
      aria-labelledby="answer-heading"
      className="grid gap-4 border-t border-border pt-5"
    >
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        <h3 id="answer-heading" className="mr-auto text-sm font-semibold">
          {t("models.try.answer")}
        </h3>
        {phase === "running" ? (
          <span className="flex items-center gap-2 text-xs text-ink-muted [&_svg]:size-3.5">
            <Spinner />
            {text === "" ? t("models.try.waitingForWords") : t("models.try.streaming")}
          </span>
        ) : null}
        {phase === "stopped" ? (
          <Badge icon={<Ban aria-hidden />}>{t("models.try.stopped")}</Badge>
        ) : null}
        {answer?.is_cached ? <Badge tone="success">{t("models.try.fromCache")}</Badge> : null}
        {answer?.is_simulated ? <SimulatedBadge /> : null}
        {answer === null ? null : <CopyButton text={text} label={t("models.try.copy")} />}
      </div>
      <p role="status" className="sr-only">
        {spoken}
      </p>
      {waiting === null ? null : <WaitingNote waiting={waiting} />}
      {text === "" ? null : (
        <div
          aria-busy={phase === "running"}
          className="rounded-lg border border-border bg-surface px-4 py-3 text-sm/6 wrap-anywhere whitespace-pre-wrap"
        >
          {text}
        </div>
      )}
      {answer !== null && text === "" ? (
        <p className="text-sm text-ink-muted">{t("models.try.emptyAnswer")}</p>
      ) : null}
      <Failure state={state} />
      {answer === null ? null : <AnswerFacts answer={answer} />}
      {answer?.is_cached ? (
        <Button variant="secondary" size="sm" className="justify-self-start" onClick={onRunAgain}>
          <RotateCw aria-hidden />
          {t("models.try.again")}
        </Button>
      ) : null}
    </section>
  );
}
