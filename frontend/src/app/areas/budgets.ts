import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Wallet } from "lucide-react";
import { ENTRY_STATES, LEDGER_SORTS, SPENDING_BY, SPENDING_DAYS } from "@/features/budgets/view";
import { choiceParam, definedOnly, flagParam, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const budgetsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/budgets",
  staticData: {
    page: { key: "budgets", guide: "budgets", group: "configure", icon: Wallet, shortcut: "g b" },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      purpose: textParam(search.purpose),
      provider: textParam(search.provider),
      model: textParam(search.model),
      run_id: textParam(search.run_id),
      state: choiceParam(search.state, ENTRY_STATES),
      from: textParam(search.from),
      to: textParam(search.to),
      sort: choiceParam(search.sort, LEDGER_SORTS),
      budget: textParam(search.budget),
      by: choiceParam(search.by, SPENDING_BY),
      days: choiceParam(textParam(search.days), SPENDING_DAYS),
      create: flagParam(search.create),
      edit: textParam(search.edit),
    }),
  component: lazyRouteComponent(() => import("../routes/budgets-route"), "BudgetsRoute"),
});

export const budgetRoutes = [budgetsRoute] as const;
