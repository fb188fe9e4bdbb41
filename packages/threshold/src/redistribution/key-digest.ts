import { encode } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import { infoBytesOfShare, type PublicKeyInfo, publicKeyInfoCodec } from "../keygen/key-share.ts";
import { hashFields } from "../transcript.ts";

const digestOf = (info: Uint8Array): Uint8Array => hashFields("public key info", [info]);

/**
 * A digest of the public part of one epoch of a key, 32 bytes. The caller of a refresh or a reshare binds it
 * into the session id: so parties with different epochs, or with false public shares from a liar, are in
 * different sessions, and do not accuse each other (INV-7, P11).
 */
export const keyDigest = <P extends GroupPoint<P>>(info: PublicKeyInfo<P>): Uint8Array =>
  digestOf(encode(publicKeyInfoCodec(info.scheme), info));

/**
 * keyDigest of a stored share's key, without parsing the share.
 *
 * @param share keyShareCodec of any scheme, from our own sealed store, which authenticates it
 * @throws when the bytes are too short for a share: a bug of ours
 */
export const keyDigestOfShare = (share: Uint8Array): Uint8Array => digestOf(infoBytesOfShare(share));
