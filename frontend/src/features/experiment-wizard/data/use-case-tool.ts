import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { commitImport, uploadImport, type DatasetAddress } from "@/api/case-imports";
import { experimentQuery } from "@/api/experiments";
import { keys } from "@/api/keys";
import { createDataset, dropDataset } from "@/api/new-dataset";
import { problemMessage } from "@/api/problem-message";
import { send } from "@/api/request";
import { toast } from "@/components/ui/toast";
import type { Draft, StepProps } from "../wizard-step";
import { toFile } from "./inline-cases";

const LONGEST_NAME = 90;
/** Same default as for datasets. */
const HOLDOUT_PERCENT = 20;

/** Outlives a page that is closed or loaded again, which cannot clean up. */
const MADE = "edison-made-dataset";

export type CaseTool = "import" | "synthetic" | "adversarial";

interface OpenTool {
  tool: CaseTool;
  at: DatasetAddress;
  /** Created for this tool and not part of the draft yet. */
  isNew: boolean;
}

const pathOf = ({ slug, datasetId }: DatasetAddress) => ({
  project: slug,
  dataset_id: datasetId,
});

/** Whether there are cases, or a generation in progress or undecided. */
async function hasContents(at: DatasetAddress): Promise<boolean> {
  const dataset = await send("get", "/projects/{project}/datasets/{dataset_id}", pathOf(at));
  if (dataset.case_count > 0) {
    return true;
  }
  const generations = await send(
    "get",
    "/projects/{project}/datasets/{dataset_id}/generations",
    pathOf(at),
  );
  return generations.items.length > 0;
}

/** Deletes a dataset that is still empty after its tool was abandoned. */
async function dropIfEmpty(at: DatasetAddress): Promise<void> {
  if (!(await hasContents(at))) {
    await dropDataset(at.slug, at.datasetId);
  }
}

function remember(at: DatasetAddress | null) {
  try {
    if (at === null) {
      sessionStorage.removeItem(MADE);
    } else {
      sessionStorage.setItem(MADE, JSON.stringify(at));
    }
  } catch {
    // Without storage, only a page that is left by a link cleans up.
  }
}

function remembered(): DatasetAddress | null {
  try {
    return JSON.parse(sessionStorage.getItem(MADE) ?? "null") as DatasetAddress | null;
  } catch {
    return null;
  }
}

function deleteCreatedDataset(at: DatasetAddress | null) {
  remember(null);
  if (at !== null) {
    // The page was left, so an error cannot be shown.
    dropIfEmpty(at).catch(() => undefined);
  }
}

/** Tracks whether the page was left, and cleans up after an open tool. */
function useCleanupOnLeave() {
  const madeRef = useRef<DatasetAddress | null>(null);
  const isGoneRef = useRef(false);
  useEffect(() => {
    isGoneRef.current = false;
    deleteCreatedDataset(remembered());
    return () => {
      isGoneRef.current = true;
      deleteCreatedDataset(madeRef.current);
    };
  }, []);
  const keep = (at: DatasetAddress | null) => {
    madeRef.current = at;
    remember(at);
  };
  return { keep, isGoneRef };
}

async function moveCases(at: DatasetAddress, cases: Draft["data"]["cases"]): Promise<void> {
  if (cases.length === 0) {
    return;
  }
  const uploaded = await uploadImport(at, toFile(cases), {
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  await commitImport(at, uploaded.id, {
    mapping: uploaded.preview?.mapping ?? null,
    on_bad_rows: "skip",
    skip_copies: true,
  });
}

/**
 * Imports and generated cases need a dataset. Creates one when a tool opens; when it closes, the
 * dataset becomes the step's, including the cases written so far. An empty one is deleted again.
 */
export function useCaseTool({ slug, experimentId, part, onChanged }: StepProps<"data">) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const experiment = useQuery(experimentQuery(slug, experimentId)).data;
  const [open, setOpen] = useState<OpenTool | null>(null);
  const [busy, setBusy] = useState<CaseTool | null>(null);
  const { keep, isGoneRef } = useCleanupOnLeave();
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.datasets(slug) });

  const show = async (tool: CaseTool) => {
    if (part.dataset_id !== null) {
      setOpen({ tool, at: { slug, datasetId: part.dataset_id }, isNew: false });
      return;
    }
    setBusy(tool);
    try {
      const name = part.name.trim() || t("wizard.data.named", { name: experiment?.name ?? "" });
      const dataset = await createDataset(slug, {
        name: name.trim().slice(0, LONGEST_NAME),
        kind: tool === "import" ? "manual" : tool,
        holdout_percent: HOLDOUT_PERCENT,
      });
      if (isGoneRef.current) {
        await dropDataset(slug, dataset.id);
        return;
      }
      const at = { slug, datasetId: dataset.id };
      keep(at);
      setOpen({ tool, at, isNew: true });
    } catch (error) {
      toast.error(problemMessage(error));
    } finally {
      setBusy(null);
    }
  };

  const adopt = async (at: DatasetAddress) => {
    try {
      if (await hasContents(at)) {
        await moveCases(at, part.cases);
        onChanged({ dataset_id: at.datasetId, cases: [] });
      } else {
        await dropDataset(slug, at.datasetId);
      }
    } catch (error) {
      toast.error(t("wizard.data.notMoved"), { description: problemMessage(error) });
    }
  };

  const close = async () => {
    setOpen(null);
    keep(null);
    if (open?.isNew === true) {
      setBusy(open.tool);
      await adopt(open.at);
      setBusy(null);
    }
    await refresh();
  };

  return { open, busy, show: (tool: CaseTool) => void show(tool), close: () => void close() };
}
