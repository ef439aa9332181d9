import type { Cell, CellScore, RunRow } from "@/api/types";

/** A score event with the position of its cell. */
export interface ScoreEvent extends CellScore {
  output_id: string;
  case_position: number;
  variant_position: number;
  repeat: number;
  /** Grade of the cell including this score. */
  grade: Cell["grade"];
}

/** Chunk of live text; continues the known text at `start`. */
export interface TextUpdate {
  case_position: number;
  variant_position: number;
  repeat: number;
  start: number;
  text: string;
}

export type CaseInfo = Omit<RunRow, "cells">;

/**
 * Known data of a row. It may arrive in any order: cells before their case, scores before their
 * cell.
 */
export interface KnownRow {
  info: CaseInfo | null;
  /** By `cellKey`. */
  cells: Readonly<Record<string, Cell>>;
  early: readonly ScoreEvent[];
  /** Live texts of unfinished answers, by `cellKey`. */
  drafts: Readonly<Record<string, string>>;
}

export const UNKNOWN_ROW: KnownRow = { info: null, cells: {}, early: [], drafts: {} };

export function cellKey(variant: number, repeat: number): string {
  return `${variant}.${repeat}`;
}

const keyOf = (place: { variant_position: number; repeat: number }) =>
  cellKey(place.variant_position, place.repeat);

function withScore(scores: readonly CellScore[], score: CellScore): CellScore[] {
  const { scorer, value, is_passed, flag } = score;
  return [
    ...scores.filter((known) => known.scorer !== scorer),
    { scorer, value, is_passed, flag },
  ].sort((one, other) => one.scorer - other.scorer);
}

function withoutDraft(drafts: KnownRow["drafts"], key: string): KnownRow["drafts"] {
  if (drafts[key] === undefined) {
    return drafts;
  }
  const { [key]: _, ...rest } = drafts;
  return rest;
}

export function appendText(row: KnownRow, { start, text, ...place }: TextUpdate): KnownRow {
  const key = keyOf(place);
  const known = row.drafts[key] ?? "";
  return { ...row, drafts: { ...row.drafts, [key]: known.slice(0, start) + text } };
}

/** Drops all live texts. */
export function dropLiveTexts(row: KnownRow): KnownRow {
  return Object.keys(row.drafts).length === 0 ? row : { ...row, drafts: {} };
}

/** The newer version wins regardless of arrival order; duplicates lose no scores. */
export function mergeCell(row: KnownRow, cell: Cell): KnownRow {
  const key = keyOf(cell);
  const known = row.cells[key];
  if (known !== undefined && known.number > cell.number) {
    return row;
  }
  const isSame = known?.number === cell.number;
  const waiting = row.early.filter((score) => score.output_id === cell.id);
  const scores = [...cell.scores, ...waiting].reduce(withScore, isSame ? known.scores : []);
  const grade = waiting.at(-1)?.grade ?? cell.grade;
  return {
    ...row,
    cells: { ...row.cells, [key]: { ...cell, grade, scores: [...scores] } },
    drafts: cell.is_wanted_again ? row.drafts : withoutDraft(row.drafts, key),
    early: waiting.length === 0 ? row.early : row.early.filter((score) => !waiting.includes(score)),
  };
}

export function mergeScore(row: KnownRow, score: ScoreEvent): KnownRow {
  const key = keyOf(score);
  const cell = row.cells[key];
  if (cell?.id !== score.output_id) {
    return { ...row, early: [...row.early, score] };
  }
  const scored = { ...cell, grade: score.grade, scores: withScore(cell.scores, score) };
  return { ...row, cells: { ...row.cells, [key]: scored } };
}

export function mergeRow(row: KnownRow, { cells, ...info }: RunRow): KnownRow {
  return cells.reduce(mergeCell, { ...row, info });
}

/**
 * False once a threshold is missed, true when every score has a threshold and passes it. Null with
 * human scores or when a score has no threshold: passing safety checks alone does not make a low
 * score pass.
 */
export function cellPassed(cell: Cell): boolean | null {
  if (cell.human_value !== null) {
    return null;
  }
  if (cell.scores.some((score) => score.is_passed === false)) {
    return false;
  }
  const given = cell.scores.filter((score) => score.value !== null);
  return given.length > 0 && given.every((score) => score.is_passed) ? true : null;
}
