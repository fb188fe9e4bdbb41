import type { PartyIndex, PublicKeyInfo } from "@conclave/threshold";

/** Why a session ends that was begun with signers of the roster who cannot sign together under the key. */
export const UNFIT_QUORUM = "the signers are no quorum of this key and auxiliary info";

/** Whether the key is of so many signers and these are among them: a roster may have changed since it was made. */
export const keyFitsSigners = (
  { threshold, parties }: Pick<PublicKeyInfo, "threshold" | "parties">,
  signers: readonly PartyIndex[],
): boolean => signers.length === threshold && signers.every((signer) => parties.includes(signer));
