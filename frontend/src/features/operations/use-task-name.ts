import { useTranslation } from "react-i18next";
import en from "@/locales/en.json";

type KnownTask = keyof typeof en.operations.tasks;

const isKnown = (task: string): task is KnownTask => task in en.operations.tasks;

/** Label of a task; unknown tasks of other versions keep their own name. */
export function useTaskName(): (task: string) => string {
  const { t } = useTranslation();
  return (task) => (isKnown(task) ? t(`operations.tasks.${task}`) : task);
}
