import type { Quarantined } from "@conclave/cluster";
import { partyIndex } from "@conclave/threshold";
import type { Quarantine, Quarantine__Output } from "./generated/proto.gen.ts";

/** A quarantined peer, with the reason, for the wire: the signer does not sign with it. */
export const toQuarantine = ({
  signer,
  check,
  evidence,
  auxiliaryEpoch,
  provenAtMs,
}: Quarantined): Quarantine => ({
  signer,
  check,
  evidence: Buffer.from(evidence, "hex"),
  auxiliaryEpoch,
  provenAtMs,
});

/** Empty if the message names no signer. */
export const fromQuarantine = ({
  signer: index,
  check,
  evidence,
  auxiliaryEpoch,
  provenAtMs,
}: Quarantine__Output): readonly Quarantined[] => {
  const signer = partyIndex(index);
  return signer === undefined
    ? []
    : [{ signer, check, evidence: evidence.toString("hex"), auxiliaryEpoch, provenAtMs }];
};
