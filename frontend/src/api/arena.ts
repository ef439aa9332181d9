import type { components } from "./schema.gen";

/** Boards of models, and blind voting. */
type Schemas = components["schemas"];

export type Board = Schemas["BoardRead"];
export type BoardRow = Schemas["BoardRow"];
export type BoardHeadline = Schemas["BoardHeadline"];
export type BoardRating = Schemas["BoardRatingRead"];
export type BoardDataset = Schemas["BoardDatasetRead"];
export type ScorerSet = Schemas["ScorerSetRead"];
export type VotingRound = Schemas["VotingRoundRead"];
export type VotingMatch = Schemas["VotingMatchRead"];
export type VotingStep = Schemas["VotingStep"];
export type VotingResults = Schemas["VotingResults"];
export type ShownChoice = Schemas["ShownChoice"];
export type QuestionReport = Schemas["QuestionReport"];
export type QuestionGenerator = Schemas["GeneratorRead"];
export type JudgedQuestion = Schemas["JudgedQuestion"];
export type QuestionCriterion = Schemas["DefaultCriterionRead"];
