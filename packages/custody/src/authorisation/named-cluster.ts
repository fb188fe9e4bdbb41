import { z } from "zod";

/**
 * The id of the cluster that the authority signs for. Two clusters may share one authority key, and a signer
 * refuses an authorisation for another cluster. Authorisations that an earlier version signed have no id.
 */
export const namedClusterSchema = z.string().max(64).optional();

/** Whether an authorisation is for this cluster; true also where it names no cluster. */
export const isForCluster = (signed: object, clusterId: string): boolean =>
  !("cluster" in signed) || signed.cluster === undefined || signed.cluster === clusterId;
