import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Budget, Project } from "@/api/types";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { useDeleteBudget } from "./queries";
import { budgetName } from "./words";

export interface DeleteBudgetDialogProps {
  project: Project;
  budget: Budget;
  onClosed: () => void;
}

export function DeleteBudgetDialog({ project, budget, onClosed }: DeleteBudgetDialogProps) {
  const { t } = useTranslation();
  const remove = useDeleteBudget(project.slug);
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("budgets.delete.title")}
      description={t("budgets.delete.description", { name: budgetName(budget, t) })}
      confirmLabel={t("budgets.delete.confirm")}
      loading={remove.isPending}
      error={remove.isError ? problemMessage(asProblem(remove.error)) : null}
      onConfirmed={() =>
        remove.mutate(budget.id, {
          onSuccess: () => {
            toast.success(t("budgets.delete.done"));
            onClosed();
          },
        })
      }
    />
  );
}
