import { Archive, ArchiveRestore, CopyPlus, Pencil, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { RenameDialog } from "@/components/rename-dialog";
import type { Command } from "@/components/ui/command-menu";
import { toast } from "@/components/ui/toast";
import { DeleteDialog } from "./delete-dialog";
import type * as change from "./resource";

export const RESOURCE_COMMANDS = ["rename", "duplicate", "archive", "delete"] as const;
export type ResourceCommand = (typeof RESOURCE_COMMANDS)[number];

export interface ResourceActions<T extends change.Resource> {
  rename?: change.Rename;
  renameHint?: (resource: T) => string | undefined;
  duplicate?: change.Duplicate;
  onDuplicated?: (copy: change.Resource) => void;
  archive?: change.Archive;
  remove?: change.Remove;
  /** Explains what is deleted along and what is kept. */
  consequence?: (resource: T) => ReactNode;
  /** Whether deleting requires typing the name. */
  isTyped?: (resource: T) => boolean;
  onDeleted?: () => void;
}

export interface ResourceCommands<T> {
  /** Menu entry that runs the command. */
  commandOf: (name: ResourceCommand, resource: T) => Command;
  /** All commands that have an action, in their usual order. */
  commandsOf: (resource: T) => Command[];
  /** Confirmation dialog of the open command. */
  dialog: ReactNode;
}

/** Rename, duplicate, archive and delete commands, shared by all resource types. */
export function useResourceCommands<T extends change.Resource>(
  actions: ResourceActions<T>,
): ResourceCommands<T> {
  const { rename, duplicate, archive, remove } = actions;
  const { t } = useTranslation();
  const [asked, setAsked] = useState<{ question: "rename" | "delete"; resource: T } | null>(null);
  const onClosed = () => setAsked(null);
  const onError = (error: unknown) => void toast.error(problemMessage(error));

  const build: Record<ResourceCommand, (resource: T) => Command> = {
    rename: (resource) => ({
      icon: Pencil,
      label: t("lists.rename"),
      disabled: (resource.archived_at ?? null) !== null,
      onChosen: () => {
        rename?.reset();
        setAsked({ question: "rename", resource });
      },
    }),
    duplicate: (resource) => ({
      icon: CopyPlus,
      label: t("lists.duplicate"),
      onChosen: () =>
        duplicate?.mutate(resource.id, {
          onError,
          onSuccess: (copy) => {
            toast.success(t("lists.duplicated", { name: copy.name }));
            actions.onDuplicated?.(copy);
          },
        }),
    }),
    archive: ({ id, name, archived_at }) => {
      const isArchived = (archived_at ?? null) !== null;
      return {
        icon: isArchived ? ArchiveRestore : Archive,
        label: t(isArchived ? "lists.unarchive" : "lists.archive"),
        onChosen: () =>
          archive?.mutate(
            { id, archive: !isArchived },
            {
              onError,
              onSuccess: () =>
                toast.success(t(isArchived ? "lists.unarchived" : "lists.archived", { name })),
            },
          ),
      };
    },
    delete: (resource) => ({
      icon: Trash2,
      label: t("lists.delete"),
      isDanger: true,
      onChosen: () => {
        remove?.reset();
        setAsked({ question: "delete", resource });
      },
    }),
  };
  const available = { rename, duplicate, archive, delete: remove };

  function dialogFor(question: "rename" | "delete", resource: T): ReactNode {
    if (question === "rename" && rename !== undefined) {
      return (
        <RenameDialog
          title={t("lists.renameTitle", { name: resource.name })}
          label={t("fields.name")}
          hint={actions.renameHint?.(resource)}
          name={resource.name}
          submitLabel={t("lists.rename")}
          isSaving={rename.isPending}
          error={rename.error}
          onEdited={rename.reset}
          onRenamed={(name) => rename.mutate({ id: resource.id, name }, { onSuccess: onClosed })}
          onClosed={onClosed}
        />
      );
    }
    return remove === undefined ? null : (
      <DeleteDialog
        resource={resource}
        remove={remove}
        consequence={actions.consequence?.(resource)}
        typed={actions.isTyped?.(resource) ?? false}
        onClosed={onClosed}
        onDeleted={actions.onDeleted}
      />
    );
  }

  return {
    commandOf: (name, resource) => build[name](resource),
    commandsOf: (resource) =>
      RESOURCE_COMMANDS.filter((name) => available[name] !== undefined).map((name) =>
        build[name](resource),
      ),
    dialog: asked === null ? null : dialogFor(asked.question, asked.resource),
  };
}
