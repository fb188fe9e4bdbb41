import {
  decode,
  type GroupPoint,
  type KeyShare,
  keyShareCodec,
  type Scheme,
  type Secret,
} from "@conclave/threshold";

/** @throws when a stored share does not decode: a bug of ours */
export const readShare = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  bytes: Secret<Uint8Array>,
): KeyShare<P> => {
  const decoded = decode(keyShareCodec(scheme), bytes.reveal());
  if (!decoded.ok) throw new Error(`a stored share does not decode: ${decoded.reason}`);
  return decoded.value;
};
