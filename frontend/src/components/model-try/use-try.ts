import { useEffect, useReducer, useRef } from "react";
import { api, unwrap } from "@/api/client";
import { readEvents } from "@/api/event-stream";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Model } from "@/api/types";
import { i18n } from "@/lib/i18n";
import { applyTryEvent, IDLE, readTryEvent, type TryEvent } from "./try-state";

export interface Question {
  modelId: string;
  prompt: string;
  system: string;
  parameters: Model["parameters"];
  isCacheBypassed: boolean;
}

async function ask(
  slug: string,
  question: Question,
  signal: AbortSignal,
  dispatch: (event: TryEvent) => void,
): Promise<void> {
  const body = await unwrap(
    api.POST("/api/v1/projects/{project}/models/{model_id}/try", {
      signal,
      parseAs: "stream",
      params: { path: { project: slug, model_id: question.modelId } },
      body: {
        prompt: question.prompt,
        system: question.system === "" ? null : question.system,
        parameters: Object.keys(question.parameters).length === 0 ? null : question.parameters,
        is_cache_bypassed: question.isCacheBypassed,
      },
    }),
  );
  if (body !== null) {
    for await (const event of readEvents(body)) {
      const known = readTryEvent(event, Date.now());
      if (known !== null) {
        dispatch(known);
      }
    }
  }
  // Ignored when an answer or a failure came before.
  dispatch({ type: "refused", code: "DISCONNECTED", message: i18n.t("models.try.brokenOff") });
}

/** Sends one question to a model at a time; leaving the page aborts it. */
export function useTry(slug: string) {
  const [state, dispatch] = useReducer(applyTryEvent, IDLE);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const stop = () => {
    running.current?.abort();
    dispatch({ type: "stopped" });
  };
  const run = (question: Question) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const dispatchWhileCurrent = (event: TryEvent) => {
      if (!controller.signal.aborted) {
        dispatch(event);
      }
    };
    dispatch({ type: "started" });
    ask(slug, question, controller.signal, dispatchWhileCurrent).catch((error: unknown) => {
      const problem = asProblem(error);
      const message =
        problem.code === "UNEXPECTED" ? i18n.t("models.try.brokenOff") : problemMessage(problem);
      dispatchWhileCurrent({ type: "refused", code: problem.code, message });
    });
  };
  return { state, run, stop };
}
