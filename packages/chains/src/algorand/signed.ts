import { decode, IntMode } from "algorand-msgpack";
import { z } from "zod";
import { algorandPublicKey } from "./rules/address.ts";
import { algorandId } from "./transaction.ts";
import { decodeWire, encodeWire } from "./wire.ts";

const signedSchema = z.object({ txn: z.record(z.string(), z.unknown()) });

/**
 * Encodes a signed transaction as nodes accept it.
 * @param unsigned bytes that `decodeAlgorand` accepted
 * @param signature 64 bytes
 * @param authority the signing key's address, if the sender's account was rekeyed to it
 */
export const signedAlgorand = (
  unsigned: Uint8Array,
  signature: Uint8Array,
  authority: string | undefined,
): Uint8Array => {
  const decoded = decodeWire(unsigned);
  if (!decoded.ok) throw new TypeError(`a transaction was not read before: ${decoded.why}`);
  return encodeWire({
    sgnr: authority === undefined ? undefined : algorandPublicKey(authority),
    sig: signature,
    txn: decoded.wire,
  });
};

/** The id of a transaction that `signedAlgorand` wrote. @throws when the bytes are no such transaction */
export const signedId = (signed: Uint8Array): string =>
  algorandId(encodeWire(signedSchema.parse(decode(signed, { intMode: IntMode.BIGINT })).txn));
