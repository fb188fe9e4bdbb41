import type { BlamedSigner } from "@conclave/cluster";
import { encode, evidenceCodec } from "@conclave/threshold";
import type { FaultRecord } from "../postgres/faults.ts";

/** A deviation that evidence proves, as a coordinator reports it. */
export interface ProvenDeviation extends Omit<BlamedSigner, "session"> {
  /** lower-case hex */
  readonly session: string;
}

/**
 * The record of a proven deviation, with everything that anybody needs to check it again (INV-7).
 *
 * @param date ISO 8601 UTC
 */
export const faultRecordOf = (
  { reporter, session, evidence, verdict: { culprit, check } }: ProvenDeviation,
  date: string,
): FaultRecord => {
  const { protocol, keyId } = evidence.attempt;
  return {
    culprit,
    reporter,
    sessionId: Buffer.from(session, "hex"),
    checkName: check,
    protocol,
    keyId: keyId === "" ? undefined : keyId,
    proof: encode(evidenceCodec, evidence),
    date,
  };
};
