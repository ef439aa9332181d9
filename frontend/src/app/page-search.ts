import { GENERATE_KINDS } from "@/features/datasets/overlay";
import { CASE_SORTS, DIFFICULTIES, ORIGINS, SPLITS } from "@/features/datasets/view";
import { ROLES } from "@/lib/permissions";
import { choiceParam, definedOnly, flagParam, textParam, type RawSearch } from "@/lib/search";

/** What the pages with many filters and overlays keep in their addresses. */
export const promptsSearch = (search: RawSearch) =>
  definedOnly({
    q: textParam(search.q),
    kind: choiceParam(search.kind, ["generator", "grader"] as const),
    status: choiceParam(search.status, ["archived", "all"] as const),
    create: flagParam(search.create),
  });

export const promptSearch = (search: RawSearch) =>
  definedOnly({
    part: choiceParam(search.part, ["system", "few_shots", "tools"] as const),
    model: textParam(search.model),
    preview: flagParam(search.preview),
    history: flagParam(search.history),
    from: textParam(search.from),
    to: textParam(search.to),
  });

export const datasetsSearch = (search: RawSearch) =>
  definedOnly({
    q: textParam(search.q),
    kind: choiceParam(search.kind, ORIGINS),
    status: choiceParam(search.status, ["archived", "all"] as const),
    sort: choiceParam(search.sort, ["name", "cases", "newest"] as const),
    create: choiceParam(search.create, ["cases", "file", "case"] as const),
  });

export const datasetSearch = (search: RawSearch) =>
  definedOnly({
    tab: choiceParam(search.tab, ["coverage"] as const),
    q: textParam(search.q),
    tag: textParam(search.tag),
    split: choiceParam(search.split, SPLITS),
    difficulty: choiceParam(textParam(search.difficulty), DIFFICULTIES),
    origin: choiceParam(search.origin, ORIGINS),
    expected: choiceParam(search.expected, ["yes", "no"] as const),
    sort: choiceParam(search.sort, CASE_SORTS),
    case: textParam(search.case),
    add: flagParam(search.add),
    import: flagParam(search.import),
    duplicates: flagParam(search.duplicates),
    generate: choiceParam(search.generate, GENERATE_KINDS),
    gap: textParam(search.gap),
    generation: textParam(search.generation),
  });

export const modelsSearch = (search: RawSearch) =>
  definedOnly({
    q: textParam(search.q),
    provider: textParam(search.provider),
    sort: choiceParam(search.sort, ["cheapest", "dearest", "context", "newest"] as const),
    model: textParam(search.model),
    try: textParam(search.try),
    import: textParam(search.import),
    advice: choiceParam(search.advice, ["balanced", "costly"] as const),
  });

export const auditSearch = (search: RawSearch) =>
  definedOnly({
    q: textParam(search.q),
    actor: textParam(search.actor),
    action: textParam(search.action),
    entity_type: textParam(search.entity_type),
    outcome: choiceParam(search.outcome, ["allowed", "denied"] as const),
    since: textParam(search.since),
    until: textParam(search.until),
  });

export const projectsSearch = (search: RawSearch) =>
  definedOnly({
    q: textParam(search.q),
    role: choiceParam(search.role, ROLES),
    status: choiceParam(search.status, ["archived", "all"] as const),
    create: flagParam(search.create),
  });

export const accountSearch = (search: RawSearch) =>
  definedOnly({
    tab: choiceParam(search.tab, ["sessions", "tokens", "appearance"] as const),
  });
