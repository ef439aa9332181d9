import { Archive, ArchiveRestore, CopyPlus, Pencil, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { RenameDialog } from "@/components/rename-dialog";
import type { Command } from "@/components/ui/command-menu";
import { toast } from "@/components/ui/toast";
import { DeleteDialog } from "./delete-dialog";
import type { Resource } from "./resource";
import {
  useResourceChanges,
  type ResourceFamilies,
  type ResourcePath,
} from "./use-resource-changes";

export const RESOURCE_COMMANDS = ["rename", "duplicate", "archive", "delete"] as const;
export type ResourceCommand = (typeof RESOURCE_COMMANDS)[number];

export interface ResourceOptions<T extends Resource> extends ResourceFamilies {
  /** Commands of the type; all by default. */
  commands?: readonly ResourceCommand[];
  renameHint?: (resource: T) => string | undefined;
  onDuplicated?: (copy: Resource) => void;
  /** Explains what is deleted along and what is kept. */
  consequence?: (resource: T) => ReactNode;
  /** Whether deleting requires typing the name. */
  isTyped?: (resource: T) => boolean;
  onDeleted?: (() => void) | undefined;
}

export interface ResourceCommands<T> {
  /** Menu entry that runs the command. */
  commandOf: (name: ResourceCommand, resource: T) => Command;
  /** All commands of the type, in their usual order. */
  commandsOf: (resource: T) => Command[];
  /** Confirmation dialog of the open command. */
  dialog: ReactNode;
}

/** Rename, duplicate, archive and delete commands, shared by all resource types. */
export function useResourceCommands<T extends Resource>(
  slug: string,
  path: ResourcePath,
  options: ResourceOptions<T>,
): ResourceCommands<T> {
  const { commands = RESOURCE_COMMANDS } = options;
  const { rename, duplicate, archive, remove } = useResourceChanges(slug, path, options);
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
        rename.reset();
        setAsked({ question: "rename", resource });
      },
    }),
    duplicate: (resource) => ({
      icon: CopyPlus,
      label: t("lists.duplicate"),
      onChosen: () =>
        duplicate.mutate(resource.id, {
          onError,
          onSuccess: (copy) => {
            toast.success(t("lists.duplicated", { name: copy.name }));
            options.onDuplicated?.(copy);
          },
        }),
    }),
    archive: ({ id, name, archived_at }) => {
      const isArchived = (archived_at ?? null) !== null;
      return {
        icon: isArchived ? ArchiveRestore : Archive,
        label: t(isArchived ? "lists.unarchive" : "lists.archive"),
        onChosen: () =>
          archive.mutate(
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
        remove.reset();
        setAsked({ question: "delete", resource });
      },
    }),
  };

  function dialogFor(question: "rename" | "delete", resource: T): ReactNode {
    if (question === "rename") {
      return (
        <RenameDialog
          title={t("lists.renameTitle", { name: resource.name })}
          label={t("fields.name")}
          hint={options.renameHint?.(resource)}
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
    return (
      <DeleteDialog
        resource={resource}
        remove={remove}
        consequence={options.consequence?.(resource)}
        typed={options.isTyped?.(resource) ?? false}
        onClosed={onClosed}
        onDeleted={options.onDeleted}
      />
    );
  }

  return {
    commandOf: (name, resource) => build[name](resource),
    commandsOf: (resource) => commands.map((name) => build[name](resource)),
    dialog: asked === null ? null : dialogFor(asked.question, asked.resource),
  };
}
