import type { PartyIndex } from "@conclave/threshold";
import { signEd25519 } from "@conclave/threshold";
import { insecurePartySecrets, testParties } from "@conclave/threshold/testing";
import { certify, type EpochTransition, receiptBytes } from "../control/epoch-certificate.ts";
import { latestCertified } from "../coordinator/certified.ts";
import type { TestCluster } from "./cluster.ts";
import { certificatesOf, heldEpochsOf } from "./drive-key-change.ts";
import { KEY_ID, rosterOf } from "./fixtures.ts";

/** A signer's receipt for a transition, in a cluster of this size. */
export const receiptBy = (signer: PartyIndex, transition: EpochTransition, size: number): Uint8Array =>
  signEd25519(receiptBytes(rosterOf(size), signer, transition), insecurePartySecrets(signer).identity);

/** The certificate of a transition with the receipts of all signers of a cluster of this size. */
export const certificateBy = (size: number, transition: EpochTransition): Uint8Array => {
  const receipts = new Map(testParties(size).map((signer) => [signer, receiptBy(signer, transition, size)]));
  const certificate = certify(rosterOf(size), transition, receipts);
  if (certificate === undefined) throw new Error("all signed");
  return certificate;
};

/**
 * The certificate of the epoch that all live signers hold, as a coordinator makes it from their answers; undefined when
 * there is none.
 */
export const certificateAmong = (cluster: TestCluster, keyId = KEY_ID): Uint8Array | undefined =>
  latestCertified(
    rosterOf(cluster.nodes.size),
    keyId,
    heldEpochsOf(cluster, keyId),
    certificatesOf(cluster, keyId),
  )?.certificate;
