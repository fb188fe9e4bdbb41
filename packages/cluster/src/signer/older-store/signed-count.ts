import { encodeField, type PartyIndex, signEd25519, verifyEd25519 } from "@conclave/threshold";
import type { SignerConfig } from "../config.ts";

/** No other text that an identity key signs begins with these words. */
const DOMAIN = "conclave/v1/spending-count";

/**
 * The bytes of a signer's signed count of its releases; no other statement that it signs has these bytes. A signer
 * signs a count only once the count is on its disk, so if a signature of it is on a higher count than its disk holds,
 * the disk is an old copy.
 *
 * @param count below 2^48
 */
export const spendingCountBytes = (clusterId: string, signer: PartyIndex, count: number): Uint8Array =>
  encodeField([DOMAIN, clusterId, signer, count]);

/** This signer's own signed count. @returns Ed25519, 64 bytes */
export const signCount = ({ clusterId, self, secrets }: SignerConfig, count: number): Uint8Array =>
  signEd25519(spendingCountBytes(clusterId, self, count), secrets.reveal().identity);

/** Whether this signer signed this count. Never throws. */
export const isCountSigned = (
  { clusterId, roster }: Pick<SignerConfig, "clusterId" | "roster">,
  signer: PartyIndex,
  count: number,
  signature: Uint8Array,
): boolean => {
  const identity = roster.get(signer)?.identity;
  return (
    identity !== undefined && verifyEd25519(signature, spendingCountBytes(clusterId, signer, count), identity)
  );
};
