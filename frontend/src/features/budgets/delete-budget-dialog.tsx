import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Budget, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { budgetName } from "./words";

export interface DeleteBudgetDialogProps {
  project: Project;
  budget: Budget;
  onClosed: () => void;
}

export function DeleteBudgetDialog({ project, budget, onClosed }: DeleteBudgetDialogProps) {
  const { t } = useTranslation();
  const remove = useChange("delete", "/projects/{project}/budgets/{budget_id}", {
    project: project.slug,
    budget_id: budget.id,
  });
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
        remove.mutate(undefined, {
          onSuccess: () => {
            toast.success(t("budgets.delete.done"));
            onClosed();
          },
        })
      }
    />
  );
}
