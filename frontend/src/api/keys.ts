const inProject = (slug: string, ...rest: readonly unknown[]) => ["project", slug, ...rest];

/** Every query key of the application; the first parts of a key are its family. */
export const keys = {
  authConfig: ["auth-config"],
  me: ["me"],
  sessions: ["sessions"],
  tokens: ["tokens"],
  secondFactor: ["second-factor"],
  invitationPreview: (token: string) => ["invitation-preview", token],
  projects: ["projects"],
  projectList: (filters: object) => ["projects", filters],
  project: (slug: string) => inProject(slug),
  detail: (slug: string) => inProject(slug, "detail"),
  settings: (slug: string) => inProject(slug, "settings"),
  members: (slug: string) => inProject(slug, "members"),
  invitations: (slug: string) => inProject(slug, "invitations"),
  audit: (slug: string) => inProject(slug, "audit"),
  auditList: (slug: string, filters: object) => inProject(slug, "audit", filters),
  prompts: (slug: string) => inProject(slug, "prompts"),
  promptList: (slug: string, filters: object) => inProject(slug, "prompts", "list", filters),
  prompt: (slug: string, promptId: string) => inProject(slug, "prompts", promptId, "detail"),
  promptVersions: (slug: string, promptId: string) =>
    inProject(slug, "prompts", promptId, "versions"),
  promptDiff: (slug: string, promptId: string, wanted: object) =>
    inProject(slug, "prompts", promptId, "diff", wanted),
  /** Not below `prompts`: both belong to a text, which does not change with the prompt. */
  promptPreview: (slug: string, promptId: string, wanted: object) =>
    inProject(slug, "prompt-preview", promptId, wanted),
  tokenCount: (slug: string, modelId: string, wanted: object) =>
    inProject(slug, "token-count", modelId, wanted),
  datasets: (slug: string) => inProject(slug, "datasets"),
  datasetList: (slug: string) => inProject(slug, "datasets", "list"),
  dataset: (slug: string, datasetId: string) => inProject(slug, "datasets", datasetId),
  datasetPart: (slug: string, datasetId: string, part: string, wanted: object = {}) =>
    inProject(slug, "datasets", datasetId, part, wanted),
  /** Not below `datasets`: comparing every case again is too much for every change. */
  duplicates: (slug: string, datasetId: string) => inProject(slug, "duplicates", datasetId),
  generations: (slug: string) => inProject(slug, "generations"),
  generation: (slug: string, generationId: string, part: "detail" | "drafts") =>
    inProject(slug, "generations", generationId, part),
  generationList: (slug: string, datasetId: string) =>
    inProject(slug, "generations", "of", datasetId),
  runs: (slug: string) => inProject(slug, "runs"),
  runList: (slug: string, filters: object) => inProject(slug, "runs", "list", filters),
  run: (slug: string, runId: string) => inProject(slug, "runs", runId, "detail"),
  /** Below a run, so that its end and people's scores refresh them. */
  runResults: (slug: string, runId: string) => inProject(slug, "runs", runId, "results"),
  runCases: (slug: string, runId: string, wanted: object) =>
    inProject(slug, "runs", runId, "cases", wanted),
  runComparison: (slug: string, runId: string, baselineId: string, pair: object) =>
    inProject(slug, "runs", runId, "comparison", baselineId, pair),
  replayComparison: (slug: string, runId: string) => inProject(slug, "runs", runId, "replay"),
  /** Not below `runs`: rows come by the stream, and outputs by the row. */
  runRows: (slug: string, runId: string, wanted: object) =>
    inProject(slug, "run-rows", runId, wanted),
  output: (slug: string, outputId: string) => inProject(slug, "outputs", outputId),
  /** What people say about outputs. */
  humanScores: (slug: string) => inProject(slug, "human-scores"),
  outputScores: (slug: string, outputId: string) => inProject(slug, "human-scores", outputId),
  /** How often people scored outputs of a run since the page was opened; never asked for. */
  scored: (slug: string, runId: string) => inProject(slug, "scored", runId),
  annotation: (slug: string) => inProject(slug, "annotation"),
  annotationList: (slug: string, filters: object) => inProject(slug, "annotation", "list", filters),
  annotationQueue: (slug: string, queueId: string, part: "detail" | "results") =>
    inProject(slug, "annotation", queueId, part),
  annotationSample: (slug: string, wanted: object) => inProject(slug, "annotation-sample", wanted),
  /** Not below `annotation`: a turn is taken and not read again whenever somebody scores. */
  annotationStep: (slug: string, queueId: string) => inProject(slug, "annotation-step", queueId),
  /** Not below `runs`: an estimate belongs to what was asked. */
  runEstimate: (slug: string, wanted: object) => inProject(slug, "run-estimate", wanted),
  scorerKinds: (slug: string) => inProject(slug, "scorer-kinds"),
  comparerKinds: (slug: string) => inProject(slug, "comparer-kinds"),
  scorers: (slug: string) => inProject(slug, "scorers"),
  scorerList: (slug: string, filters: object) => inProject(slug, "scorers", "list", filters),
  scorerChoices: (slug: string) => inProject(slug, "scorers", "choices"),
  scorerPart: (slug: string, scorerId: string, part: string, wanted: object = {}) =>
    inProject(slug, "scorers", scorerId, part, wanted),
  rubrics: (slug: string) => inProject(slug, "rubrics"),
  rubricList: (slug: string, filters: object) => inProject(slug, "rubrics", "list", filters),
  rubricPart: (slug: string, rubricId: string, part: string, wanted: object = {}) =>
    inProject(slug, "rubrics", rubricId, part, wanted),
  /** Not below the families: both belong to what is being edited. */
  scorerTrial: (slug: string, wanted: object) => inProject(slug, "scorer-trial", wanted),
  rubricPreview: (slug: string, wanted: object) => inProject(slug, "rubric-preview", wanted),
  graderChoices: (slug: string) => inProject(slug, "prompts", "graders"),
  promptChoices: (slug: string) => inProject(slug, "prompts", "choices"),
  /** How far a piece of work is, as its events tell; never asked for. */
  progress: (slug: string, entityId: string) => inProject(slug, "progress", entityId),
  providers: (slug: string) => inProject(slug, "providers"),
  credentials: (slug: string) => inProject(slug, "credentials"),
  /** Not below `credentials`: the provider is not asked again whenever a label changes. */
  availableModels: (slug: string, credentialId: string) =>
    inProject(slug, "available-models", credentialId),
  experiments: (slug: string) => inProject(slug, "experiments"),
  experimentList: (slug: string, filters: object) =>
    inProject(slug, "experiments", "list", filters),
  experimentTemplates: (slug: string) => inProject(slug, "experiment-templates"),
  experimentPart: (slug: string, experimentId: string, part: string, wanted: object = {}) =>
    inProject(slug, "experiments", experimentId, part, wanted),
  /** Not below `experiments`: an estimate belongs to what was asked. */
  experimentEstimate: (slug: string, wanted: object) =>
    inProject(slug, "experiment-estimate", wanted),
  iteration: (slug: string, experimentId: string, iterationId: string) =>
    inProject(slug, "experiments", experimentId, "iterations", iterationId),
  suggestions: (slug: string) => inProject(slug, "suggestions"),
  suggestionList: (slug: string, filters: object) =>
    inProject(slug, "suggestions", "list", filters),
  suggestionPart: (slug: string, suggestionId: string, part: string, wanted: object = {}) =>
    inProject(slug, "suggestions", suggestionId, part, wanted),
  /** Not below `suggestions`: what a text comes to belongs to the text. */
  suggestionCheck: (slug: string, wanted: object) => inProject(slug, "suggestion-check", wanted),
  notifications: ["notifications"],
  notificationPart: (part: string, wanted: object = {}) => ["notifications", part, wanted],
  budgets: (slug: string) => inProject(slug, "budgets"),
  budgetPart: (slug: string, part: string, wanted: object = {}) =>
    inProject(slug, "budgets", part, wanted),
  models: (slug: string) => inProject(slug, "models"),
  knownModel: (slug: string, credentialId: string, name: string) =>
    inProject(slug, "known-model", credentialId, name),
  modelAdvice: (slug: string) => inProject(slug, "models", "advice"),
  operations: (slug: string) => inProject(slug, "operations"),
  operationsOverview: (slug: string) => inProject(slug, "operations", "overview"),
  deadJobs: (slug: string) => inProject(slug, "operations", "dead-jobs"),
} as const;
