import { datasetPath, type DatasetAddress } from "@/api/case-imports";
import { query } from "@/api/queries";
import { DATASET } from "./queries";

/** The model that wrote a case; null if none did. */
export const caseAuthorQuery = (at: DatasetAddress, caseId: string) =>
  query(`${DATASET}/cases/{case_id}/author`, { ...datasetPath(at), case_id: caseId });
