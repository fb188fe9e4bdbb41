import { encode } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import { type PublicKeyInfo, publicKeyInfoCodec } from "../keygen/key-share.ts";
import { hashFields } from "../transcript.ts";

/**
 * 32 bytes that stand for all that is public of one epoch of a key. Whoever starts a refresh or a reshare puts them
 * into the session id: parties that hold different epochs, or that were told different public shares by a liar, then
 * never meet, and none takes the other for a cheat (INV-7, P11).
 */
export const keyDigest = <P extends GroupPoint<P>>(info: PublicKeyInfo<P>): Uint8Array =>
  hashFields("public key info", [encode(publicKeyInfoCodec(info.scheme), info)]);
