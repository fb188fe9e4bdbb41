import type { SignerPorts } from "@conclave/cluster";
import { type Envelope, SIGNING_ROUND } from "@conclave/threshold";

type Batch = Parameters<SignerPorts["batch"]>[0];

/** Whether a write holds the tombstone of a presignature, of the pool or of a session's own. */
export const spendsPresignature = ({ puts }: Batch): boolean =>
  puts.some(({ record }) => record.startsWith("spent/") || record.startsWith("tombstone/"));

export const carriesPartialSignature = ({ round }: Envelope): boolean => round === SIGNING_ROUND;
