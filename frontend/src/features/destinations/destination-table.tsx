import { KeyRound, Pencil, Power, PowerOff, ScrollText, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Destination, DestinationChannel, NotificationKind } from "@/api/types";
import { useChange } from "@/api/use-change";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CommandMenu, type Command } from "@/components/ui/command-menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { lookOf } from "./channels";
import { DeliveryDrawer } from "./delivery-drawer";
import { DeleteDestinationDialog, EditDialog, RotateDialog } from "./destination-dialogs";
import { DESTINATION } from "./queries";

type Wanted = "edit" | "rotate" | "delete" | "log";

function NameCell({ destination }: { destination: Destination }) {
  const { Icon } = lookOf(destination.channel);
  return (
    <div className="flex min-w-0 items-center gap-3 text-left">
      <span
        aria-hidden
        className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-surface-hover text-ink-muted [&_svg]:size-4"
      >
        <Icon />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <span className="truncate font-medium">{destination.name}</span>
        <span className="truncate text-xs text-ink-muted">{destination.target}</span>
      </div>
    </div>
  );
}

function StateCell({ destination }: { destination: Destination }) {
  const { t } = useTranslation();
  const { disabled_reason: reason, last_failure: failure, last_attempt_at: at } = destination;
  return (
    <div className="grid gap-1">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-lg:justify-end">
        {reason !== null ? (
          <Badge tone={reason === "member" ? "neutral" : "danger"}>
            {t(`destinations.off.${reason}`)}
          </Badge>
        ) : failure === null ? (
          <Badge tone={at === null ? "neutral" : "success"}>
            {at === null ? t("destinations.unused") : t("destinations.works")}
          </Badge>
        ) : (
          <Badge tone="warning">{t("destinations.failing")}</Badge>
        )}
        {at === null ? null : <RelativeTime iso={at} className="text-xs text-ink-muted" />}
      </span>
      {failure === null ? null : (
        <span className="max-w-72 text-xs text-pretty text-ink-muted">{failure}</span>
      )}
    </div>
  );
}

interface ActionsProps {
  slug: string;
  destination: Destination;
  isSigned: boolean;
  onWanted: (wanted: Wanted) => void;
}

function ActionsCell({ slug, destination, isSigned, onWanted }: ActionsProps) {
  const { t } = useTranslation();
  const params = { project: slug, destination_id: destination.id };
  const test = useChange("post", `${DESTINATION}/test`, params);
  const enable = useChange("post", `${DESTINATION}/enable`, params);
  const disable = useChange("post", `${DESTINATION}/disable`, params);
  const onError = (error: unknown) => toast.error(problemMessage(error));
  const commands: Command[] = [
    {
      icon: ScrollText,
      label: t("destinations.log.action"),
      onChosen: () => onWanted("log"),
    },
    { icon: Pencil, label: t("destinations.edit.action"), onChosen: () => onWanted("edit") },
    ...(isSigned
      ? [
          {
            icon: KeyRound,
            label: t("destinations.rotate.action"),
            onChosen: () => onWanted("rotate"),
          },
        ]
      : []),
    destination.is_enabled
      ? {
          icon: PowerOff,
          label: t("destinations.disable"),
          onChosen: () => disable.mutate(undefined, { onError }),
        }
      : {
          icon: Power,
          label: t("destinations.enable"),
          onChosen: () => enable.mutate(undefined, { onError }),
        },
    {
      icon: Trash2,
      label: t("destinations.delete.action"),
      isDanger: true,
      onChosen: () => onWanted("delete"),
    },
  ];
  return (
    <div className="flex items-center justify-end gap-1">
      <Button
        variant="secondary"
        size="sm"
        loading={test.isPending}
        aria-label={t("destinations.test.of", { name: destination.name })}
        onClick={() =>
          test.mutate(undefined, {
            onSuccess: ({ failure }) =>
              failure === null
                ? toast.success(t("destinations.test.worked"))
                : toast.error(t("destinations.test.failed", { reason: failure })),
            onError,
          })
        }
      >
        <Send aria-hidden />
        {t("destinations.test.action")}
      </Button>
      <CommandMenu
        label={t("destinations.actionsFor", { name: destination.name })}
        commands={commands}
      />
    </div>
  );
}

export interface DestinationTableProps {
  slug: string;
  destinations: readonly Destination[];
  channels: readonly DestinationChannel[];
  kinds: readonly NotificationKind[];
}

export function DestinationTable(props: DestinationTableProps) {
  const { slug, destinations, channels, kinds } = props;
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<{ wanted: Wanted; id: string } | null>(null);
  const labelOf = (key: string) => kinds.find(({ kind }) => kind === key)?.label ?? key;
  const columns: Column<Destination>[] = [
    {
      key: "name",
      primary: true,
      header: t("destinations.columns.name"),
      cell: (destination) => <NameCell destination={destination} />,
    },
    {
      key: "kinds",
      header: t("destinations.columns.kinds"),
      cell: ({ kinds: own }) => <span className="text-xs">{own.map(labelOf).join(", ")}</span>,
      className: "lg:w-1/4",
    },
    {
      key: "state",
      header: t("destinations.columns.state"),
      cell: (destination) => <StateCell destination={destination} />,
    },
    {
      key: "actions",
      header: t("ui.actions"),
      align: "right",
      cell: (destination) => (
        <ActionsCell
          slug={slug}
          destination={destination}
          isSigned={channels.some(({ key, is_signed }) => key === destination.channel && is_signed)}
          onWanted={(wanted) => setChosen({ wanted, id: destination.id })}
        />
      ),
    },
  ];
  const destination = destinations.find(({ id }) => id === chosen?.id);
  const dialog = { slug, onClosed: () => setChosen(null) };
  return (
    <>
      <Table
        caption={t("destinations.title")}
        columns={columns}
        rows={destinations}
        rowKey={({ id }) => id}
      />
      {destination === undefined ? null : chosen?.wanted === "edit" ? (
        <EditDialog {...dialog} destination={destination} channels={channels} kinds={kinds} />
      ) : chosen?.wanted === "rotate" ? (
        <RotateDialog {...dialog} destination={destination} />
      ) : chosen?.wanted === "delete" ? (
        <DeleteDestinationDialog {...dialog} destination={destination} />
      ) : (
        <DeliveryDrawer {...dialog} destination={destination} />
      )}
    </>
  );
}
