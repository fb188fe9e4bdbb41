import { type AttestedKey, attestationBytes } from "@conclave/custody";
import { verifyEd25519 } from "@conclave/threshold";
import type { Roster } from "../config/index.ts";

const NONE = new Uint8Array(0);

/**
 * Which signers did not sign that this is the key: what was told is worth the word of the others alone.
 *
 * @param signatures of each signer of the roster, by index, ascending
 * @returns their ids; none when all of the roster say so
 */
export const notAttestedBy = (
  { signers }: Pick<Roster, "signers">,
  key: AttestedKey,
  signatures: readonly Uint8Array[],
): readonly string[] => {
  const said = attestationBytes(key);
  const isSaidBy = (identityKey: string, signature: Uint8Array): boolean =>
    verifyEd25519(signature, said, new Uint8Array(Buffer.from(identityKey, "hex")));
  return signers
    .filter(({ identityKey }, at) => !isSaidBy(identityKey, signatures[at] ?? NONE))
    .map(({ id }) => id);
};
