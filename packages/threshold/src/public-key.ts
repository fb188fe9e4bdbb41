import type { GroupPoint } from "./curve.ts";
import type { PublicKeyInfo } from "./keygen/key-share.ts";

/**
 * The public key that verifies a key's signatures, in the encoding of its scheme: 33 bytes, compressed, for
 * ECDSA; 32 bytes for Ed25519 (RFC 8032); 32 bytes, x only, for BIP-340. For FROST-Taproot it is BIP-341's
 * output key for an empty script tree.
 */
export const publicKeyOf = <P extends GroupPoint<P>>({ scheme, publicKey }: PublicKeyInfo<P>): Uint8Array =>
  scheme.frost === undefined
    ? publicKey.toBytes()
    : scheme.frost.pointBytes(scheme.frost.signingKey(publicKey).publicKey);
