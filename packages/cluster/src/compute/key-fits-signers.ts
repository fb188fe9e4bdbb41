import type { PartyIndex, PublicKeyInfo } from "@conclave/threshold";

/** The reason when a session ends because its signers cannot sign together under the key. */
export const UNFIT_QUORUM = "the signers are no quorum of this key and auxiliary info";

/** Whether the signers are exactly `threshold` many and all hold the key: the roster may have changed since the key was made. */
export const keyFitsSigners = (
  { threshold, parties }: Pick<PublicKeyInfo, "threshold" | "parties">,
  signers: readonly PartyIndex[],
): boolean => signers.length === threshold && signers.every((signer) => parties.includes(signer));
