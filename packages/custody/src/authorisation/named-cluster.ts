import { z } from "zod";

/**
 * The id of the cluster that the authority signs for: two clusters may have one authority key, and a signer acts on nothing that was
 * signed for another. Absent in what a version before signed.
 */
export const namedClusterSchema = z.string().max(64).optional();

/** Whether what the authority signed is for a cluster, as far as it says so. */
export const isForCluster = (signed: object, clusterId: string): boolean =>
  !("cluster" in signed) || signed.cluster === undefined || signed.cluster === clusterId;
