import { useQuery } from "@tanstack/react-query";
import { Plus, Wallet } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Budget, Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { CardGridSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { BudgetCard } from "./budget-card";
import { CreateBudgetDialog, EditBudgetDialog } from "./budget-dialog";
import { BurnDownCard } from "./burn-down-card";
import { DeleteBudgetDialog } from "./delete-budget-dialog";
import { LedgerSection } from "./ledger-section";
import { budgetsQuery } from "./queries";
import { SpendingCard } from "./spending-card";
import { SpendingGroups } from "./spending-groups";
import type { BudgetView } from "./view";

export interface BudgetsPageProps {
  project: Project;
  view: BudgetView;
  onViewChanged: (change: Partial<BudgetView>) => void;
}

interface BudgetListProps extends BudgetsPageProps {
  budgets: readonly Budget[];
}

function Spending({ project, view, onViewChanged }: BudgetsPageProps) {
  return (
    <SpendingCard
      project={project}
      by={view.by ?? "model"}
      days={view.days ?? "30"}
      onByChanged={(by) => onViewChanged({ by })}
      onDaysChanged={(days) => onViewChanged({ days })}
    />
  );
}

function BudgetList({ budgets, ...props }: BudgetListProps) {
  const { project, view, onViewChanged } = props;
  const { t } = useTranslation();
  const [deleting, setDeleting] = useState<Budget | null>(null);
  const manages = can(project.role, "budgets.manage");
  const shown = budgets.find(({ id }) => id === view.budget) ?? budgets[0];
  const edited = manages ? budgets.find(({ id }) => id === view.edit) : undefined;
  if (shown === undefined) {
    return (
      <>
        <EmptyState
          icon={<Wallet />}
          title={t("budgets.empty")}
          description={manages ? t("budgets.emptyHint") : t("budgets.emptyReadOnly")}
          action={
            manages ? (
              <Button onClick={() => onViewChanged({ create: true })}>
                <Plus aria-hidden />
                {t("budgets.create.first")}
              </Button>
            ) : null
          }
        />
        <Spending {...props} />
      </>
    );
  }
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        {budgets.map((budget) => (
          <BudgetCard
            key={budget.id}
            budget={budget}
            manages={manages}
            isShown={budgets.length > 1 && budget.id === shown.id}
            onShown={() => onViewChanged({ budget: budget.id })}
            onEdited={() => onViewChanged({ edit: budget.id })}
            onDeleted={() => setDeleting(budget)}
          />
        ))}
      </div>
      <div className="grid gap-4 xl:grid-cols-2">
        <BurnDownCard
          project={project}
          budgets={budgets}
          shown={shown}
          onShown={(budget) => onViewChanged({ budget })}
        />
        <Spending {...props} />
      </div>
      {edited === undefined ? null : (
        <EditBudgetDialog
          project={project}
          budget={edited}
          onClosed={() => onViewChanged({ edit: undefined })}
        />
      )}
      {deleting === null ? null : (
        <DeleteBudgetDialog
          project={project}
          budget={deleting}
          onClosed={() => setDeleting(null)}
        />
      )}
    </>
  );
}

export function BudgetsPage(props: BudgetsPageProps) {
  const { project, view, onViewChanged } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("budgets.title"), project.name);
  const budgets = useQuery(budgetsQuery(project.slug));
  const manages = can(project.role, "budgets.manage");
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t("budgets.title")}
        description={t("budgets.description")}
        actions={
          manages && (budgets.data?.length ?? 0) > 0 ? (
            <Button onClick={() => onViewChanged({ create: true })}>
              <Plus aria-hidden />
              {t("budgets.create.action")}
            </Button>
          ) : null
        }
      />
      {manages ? null : (
        <Alert tone="info" live={false}>
          {t("budgets.readOnly")}
        </Alert>
      )}
      {budgets.isPending ? (
        <CardGridSkeleton count={3} />
      ) : budgets.isError ? (
        <ProblemState error={budgets.error} onRetry={() => void budgets.refetch()} />
      ) : (
        <BudgetList {...props} budgets={budgets.data} />
      )}
      <SpendingGroups slug={project.slug} by={view.by ?? "model"} days={view.days ?? "30"} />
      <LedgerSection {...props} />
      {view.create === true && manages && budgets.data !== undefined ? (
        <CreateBudgetDialog
          project={project}
          taken={budgets.data
            .filter(({ scope }) => scope === "project")
            .map(({ period }) => period)}
          onClosed={() => onViewChanged({ create: undefined })}
        />
      ) : null}
    </div>
  );
}
