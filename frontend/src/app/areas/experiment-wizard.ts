import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { STEPS } from "@/features/experiment-wizard/wizard-step";
import { choiceParam, definedOnly, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const newExperimentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/experiments/new",
  component: lazyRouteComponent(
    () => import("../routes/new-experiment-route"),
    "NewExperimentRoute",
  ),
});

const experimentSetupRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/experiments/$experimentId/setup",
  validateSearch: (search: RawSearch) => definedOnly({ step: choiceParam(search.step, STEPS) }),
  component: lazyRouteComponent(
    () => import("../routes/experiment-setup-route"),
    "ExperimentSetupRoute",
  ),
});

export const experimentWizardRoutes = [newExperimentRoute, experimentSetupRoute] as const;
