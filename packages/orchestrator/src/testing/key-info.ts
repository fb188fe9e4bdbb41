import { CGGMP24, encode, publicKeyInfoCodec } from "@conclave/threshold";
import { insecureKeyShares, testParty } from "@conclave/threshold/testing";

/** The info that a signer returns for an ECDSA key with this threshold and these holders. */
export const keyInfoOf = (keyId: string, threshold: number, parties: readonly number[], epoch = 1) => {
  const [share] = insecureKeyShares(threshold, parties.map(testParty), keyId).values();
  if (share === undefined) throw new Error("a key has holders");
  return encode(publicKeyInfoCodec(CGGMP24), { ...share.info, keyId, epoch });
};
