import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { MessageSquareText } from "lucide-react";
import { choiceParam, definedOnly, flagParam, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const promptsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/prompts",
  staticData: {
    page: {
      key: "prompts",
      guide: "prompts",
      group: "build",
      icon: MessageSquareText,
      shortcut: "g r",
    },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      kind: choiceParam(search.kind, ["generator", "grader"] as const),
      status: choiceParam(search.status, ["archived", "all"] as const),
      create: flagParam(search.create),
    }),
  component: lazyRouteComponent(() => import("../routes/prompts-route"), "PromptsRoute"),
});

const promptRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/prompts/$promptId",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      part: choiceParam(search.part, ["system", "few_shots", "tools"] as const),
      model: textParam(search.model),
      preview: flagParam(search.preview),
      history: flagParam(search.history),
      from: textParam(search.from),
      to: textParam(search.to),
    }),
  component: lazyRouteComponent(() => import("../routes/prompt-route"), "PromptRoute"),
});

export const promptRoutes = [promptsRoute, promptRoute] as const;
