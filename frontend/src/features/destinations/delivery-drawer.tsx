import { useInfiniteQuery } from "@tanstack/react-query";
import { Inbox, RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Delivery, Destination } from "@/api/types";
import { useChange } from "@/api/use-change";
import { PagedList } from "@/components/listing/paged-list";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { deliveriesQuery, DESTINATION } from "./queries";

const TONES: Record<Delivery["state"], BadgeTone> = {
  waiting: "info",
  delivered: "success",
  failed: "danger",
  cancelled: "neutral",
};

interface EntryProps {
  slug: string;
  destination: Destination;
  delivery: Delivery;
}

function Redeliver({ slug, destination, delivery }: EntryProps) {
  const { t } = useTranslation();
  const redeliver = useChange("post", `${DESTINATION}/deliveries/{delivery_id}/redeliver`, {
    project: slug,
    destination_id: destination.id,
    delivery_id: delivery.id,
  });
  return (
    <Button
      variant="ghost"
      size="sm"
      disabled={!destination.is_enabled}
      loading={redeliver.isPending}
      aria-label={t("destinations.log.redeliverOf", { title: delivery.title })}
      onClick={() =>
        redeliver.mutate(undefined, {
          onSuccess: () => toast.success(t("destinations.log.redelivered")),
          onError: (error) => toast.error(problemMessage(error)),
        })
      }
    >
      <RotateCw aria-hidden />
      {t("destinations.log.redeliver")}
    </Button>
  );
}

function Entry(props: EntryProps) {
  const { delivery } = props;
  const { t } = useTranslation();
  return (
    <li className="grid gap-1.5 py-3.5">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 text-sm font-medium wrap-anywhere">{delivery.title}</span>
        <Badge tone={TONES[delivery.state]}>{t(`destinations.states.${delivery.state}`)}</Badge>
      </div>
      <p className="text-xs text-ink-muted">
        <RelativeTime iso={delivery.created_at} />
        {" · "}
        <code>{delivery.kind}</code>
        {" · "}
        {t("destinations.log.attempts", { count: delivery.attempts })}
        {delivery.status === null
          ? null
          : ` · ${t("destinations.log.status", { status: delivery.status })}`}
        {delivery.next_attempt_at === null ? null : (
          <>
            {" · "}
            {t("destinations.log.next")} <RelativeTime iso={delivery.next_attempt_at} />
          </>
        )}
      </p>
      {delivery.failure === null ? null : (
        <p className="text-xs text-pretty text-danger">{delivery.failure}</p>
      )}
      {delivery.answer === null || delivery.answer === "" ? null : (
        <pre
          tabIndex={0}
          aria-label={t("destinations.log.answer")}
          className="max-h-24 overflow-auto rounded-md bg-surface p-2 text-xs wrap-anywhere whitespace-pre-wrap"
        >
          {delivery.answer}
        </pre>
      )}
      <div className="flex items-center justify-between gap-2">
        <code className="min-w-0 truncate text-xs text-ink-subtle">{delivery.message_id}</code>
        <Redeliver {...props} />
      </div>
    </li>
  );
}

export interface DeliveryDrawerProps {
  slug: string;
  destination: Destination;
  onClosed: () => void;
}

/** Log of the messages to a destination. */
export function DeliveryDrawer({ slug, destination, onClosed }: DeliveryDrawerProps) {
  const { t } = useTranslation();
  const log = useInfiniteQuery(deliveriesQuery(slug, destination.id));
  return (
    <Drawer
      open
      onOpenChanged={onClosed}
      title={t("destinations.log.title", { name: destination.name })}
      description={t("destinations.log.description")}
    >
      <PagedList
        query={log}
        empty={
          <EmptyState
            bare
            icon={<Inbox />}
            title={t("destinations.log.empty")}
            description={t("destinations.log.emptyHint")}
          />
        }
      >
        {(deliveries) => (
          <ul aria-label={t("destinations.log.list")} className="divide-y divide-border">
            {deliveries.map((delivery) => (
              <Entry key={delivery.id} slug={slug} destination={destination} delivery={delivery} />
            ))}
          </ul>
        )}
      </PagedList>
    </Drawer>
  );
}
