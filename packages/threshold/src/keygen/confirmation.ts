import type { SessionId } from "../session/envelope.ts";
import { hashFields } from "../transcript.ts";
import type { PublicKeyInfo } from "./key-share.ts";

export const CONFIRMATION_BYTES = 32;

/** H(sid, Y, {X_j}, c, and the rest of what is public): equal for all who saw the same key made. */
export const confirmationOf = (session: SessionId, info: PublicKeyInfo): Uint8Array => {
  const { keyId, epoch, threshold, parties, publicKey, publicShares, chainCode } = info;
  const shares = [...publicShares].map(([party, share]) => [party, share]);
  return hashFields("keygen confirmation", [
    session,
    keyId,
    epoch,
    threshold,
    parties,
    publicKey,
    shares,
    chainCode,
  ]);
};
