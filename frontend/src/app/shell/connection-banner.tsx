import { useQueryClient } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { probe, useConnectivity } from "@/api/connectivity";

const POLL_EVERY = 5_000;

/** Shown while the server is down; polls it and reloads the data when it is back. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const state = useConnectivity();
  useEffect(() => {
    if (state === "online") {
      return undefined;
    }
    const timer = setInterval(() => {
      void probe().then((now) => (now === "online" ? queryClient.invalidateQueries() : undefined));
    }, POLL_EVERY);
    return () => clearInterval(timer);
  }, [state, queryClient]);
  return (
    <div role="status">
      {state === "online" ? null : (
        <p className="flex items-center justify-center gap-2 bg-warning-bg px-4 py-2 text-sm text-warning">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          {t(`connection.${state}`)}
        </p>
      )}
    </div>
  );
}
