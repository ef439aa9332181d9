import { useTranslation } from "react-i18next";
import type en from "@/locales/en.json";

type KnownTask = keyof typeof en.operations.tasks;

/** Label of a task; unknown tasks of other versions keep their own name. */
export function useTaskName(): (task: string) => string {
  const { t, i18n } = useTranslation();
  const isKnown = (task: string): task is KnownTask => i18n.exists(`operations.tasks.${task}`);
  return (task) => (isKnown(task) ? t(`operations.tasks.${task}`) : task);
}
