import type { Cell, CellScore, RunRow } from "@/api/types";

/** A score as the stream tells it: with the place of the cell it belongs to. */
export interface ScoreNews extends CellScore {
  output_id: string;
  case_position: number;
  variant_position: number;
  repeat: number;
  /** What the cell is worth, with this score. */
  grade: Cell["grade"];
}

/** More of an answer that is being given: it continues what is known of it at `start`. */
export interface TextNews {
  case_position: number;
  variant_position: number;
  repeat: number;
  start: number;
  text: string;
}

export type CaseInfo = Omit<RunRow, "cells">;

/**
 * What is known of a row. It can come in any order: cells may arrive before the case they belong
 * to, and scores before their cell.
 */
export interface KnownRow {
  info: CaseInfo | null;
  /** By `cellKey`. */
  cells: Readonly<Record<string, Cell>>;
  early: readonly ScoreNews[];
  /** What has been said of answers that are not finished, by `cellKey`. */
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

export function takeText(row: KnownRow, { start, text, ...place }: TextNews): KnownRow {
  const key = keyOf(place);
  const known = row.drafts[key] ?? "";
  return { ...row, drafts: { ...row.drafts, [key]: known.slice(0, start) + text } };
}

/** Nothing is being said any more. */
export function endTexts(row: KnownRow): KnownRow {
  return Object.keys(row.drafts).length === 0 ? row : { ...row, drafts: {} };
}

/** What is newer wins, whenever it arrives; what is told twice loses no score. */
export function takeCell(row: KnownRow, cell: Cell): KnownRow {
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

export function takeScore(row: KnownRow, score: ScoreNews): KnownRow {
  const key = keyOf(score);
  const cell = row.cells[key];
  if (cell?.id !== score.output_id) {
    return { ...row, early: [...row.early, score] };
  }
  const scored = { ...cell, grade: score.grade, scores: withScore(cell.scores, score) };
  return { ...row, cells: { ...row.cells, [key]: scored } };
}

export function takeRow(row: KnownRow, { cells, ...info }: RunRow): KnownRow {
  return cells.reduce(takeCell, { ...row, info });
}

/**
 * No once a threshold is missed, yes when every score has one and passes it. Null where people
 * decided or where a score without a threshold counts: a low mark is not good for being harmless.
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
