import { datasetPath, type DatasetAddress } from "@/api/case-imports";
import { query } from "@/api/queries";
import { DATASET } from "./queries";

/** Tags of the cases of all datasets; any change of a dataset refreshes them. */
export const caseTagsQuery = (slug: string) =>
  query("/projects/{project}/case-tags", { project: slug }, { family: "datasets" });

/** The model that wrote a case; null if none did. */
export const caseAuthorQuery = (at: DatasetAddress, caseId: string) =>
  query(`${DATASET}/cases/{case_id}/author`, { ...datasetPath(at), case_id: caseId });
