import type { GroupPoint } from "../curve.ts";
import type { SessionId } from "../session/envelope.ts";
import { hashFields } from "../transcript.ts";
import type { PublicKeyInfo } from "./key-share.ts";

export const CONFIRMATION_BYTES = 32;

/** H(sid, scheme, Y, {X_j}, c, and the other public fields): equal for all parties that computed the same key. */
export const keyConfirmation = <P extends GroupPoint<P>>(
  session: SessionId,
  info: PublicKeyInfo<P>,
): Uint8Array => {
  const { scheme, keyId, epoch, threshold, parties, publicKey, publicShares, chainCode } = info;
  const shares = [...publicShares].map(([party, share]) => [party, share]);
  return hashFields("keygen confirmation", [
    session,
    scheme.name,
    keyId,
    epoch,
    threshold,
    parties,
    publicKey,
    shares,
    chainCode,
  ]);
};
