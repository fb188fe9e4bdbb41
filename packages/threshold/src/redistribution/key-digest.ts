import { encode } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import { infoBytesOfShare, type PublicKeyInfo, publicKeyInfoCodec } from "../keygen/key-share.ts";
import { hashFields } from "../transcript.ts";

const digestOf = (info: Uint8Array): Uint8Array => hashFields("public key info", [info]);

/**
 * A digest of the public part of one epoch of a key, 32 bytes. The caller of a refresh or a reshare binds it into the session
 * id: parties that hold different epochs, or that got different public shares from a liar, are then in different sessions,
 * and none takes the other for a cheat (INV-7, P11).
 */
export const keyDigest = <P extends GroupPoint<P>>(info: PublicKeyInfo<P>): Uint8Array =>
  digestOf(encode(publicKeyInfoCodec(info.scheme), info));

/**
 * keyDigest of the key that a stored share belongs to, without parsing it.
 *
 * @param share keyShareCodec of any scheme, from our own sealed store, which authenticates it
 * @throws when the bytes are too short for a share: a bug of ours
 */
export const keyDigestOfShare = (share: Uint8Array): Uint8Array => digestOf(infoBytesOfShare(share));
