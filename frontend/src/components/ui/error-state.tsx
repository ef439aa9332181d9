import { CircleAlert, RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { CopyButton } from "./copy-button";

export interface ErrorStateProps {
  title: string;
  message: string;
  traceId?: string | null;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
  /** The error is the whole page, so its title is that of the page. */
  isPage?: boolean | undefined;
}

export function ErrorState({
  title,
  message,
  traceId,
  onRetry,
  retrying,
  isPage,
}: ErrorStateProps) {
  const { t } = useTranslation();
  const Title = isPage === true ? "h1" : "p";
  return (
    <div
      role="alert"
      className="flex flex-col items-center gap-4 rounded-xl border border-border px-6 py-14 text-center"
    >
      <div
        aria-hidden
        className="flex size-11 items-center justify-center rounded-xl bg-danger-bg text-danger"
      >
        <CircleAlert className="size-5" />
      </div>
      <div className="grid max-w-md gap-1">
        <Title className="text-base font-semibold">{title}</Title>
        <p className="text-sm text-pretty text-ink-muted">{message}</p>
      </div>
      {traceId ? (
        <p className="flex items-center gap-1 text-xs text-ink-muted">
          {t("ui.traceId")}
          <code className="rounded-sm bg-surface-hover px-1.5 py-0.5">{traceId}</code>
          <CopyButton text={traceId} label={t("ui.copyTraceId")} />
        </p>
      ) : null}
      {onRetry === undefined ? null : (
        <Button variant="secondary" size="sm" onClick={onRetry} loading={retrying ?? false}>
          <RotateCw aria-hidden />
          {t("ui.retry")}
        </Button>
      )}
    </div>
  );
}
