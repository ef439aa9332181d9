import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "./ui/confirm-dialog";

export interface UnsavedGuardProps {
  dirty: boolean;
  /** Also confirms closing the page, for changes that in-app navigation would save. */
  closing?: boolean;
}

/** Confirms leaving a page with unsaved changes, by navigation or by closing it. */
export function UnsavedGuard({ dirty, closing = false }: UnsavedGuardProps) {
  const { t } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty || closing,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={blocker.status === "blocked"}
      onOpenChanged={() => blocker.reset?.()}
      title={t("unsaved.title")}
      description={t("unsaved.body")}
      confirmLabel={t("unsaved.leave")}
      cancelLabel={t("unsaved.stay")}
      onConfirmed={() => blocker.proceed?.()}
    />
  );
}
