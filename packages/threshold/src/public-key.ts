import type { GroupPoint } from "./curve.ts";
import type { PublicKeyInfo } from "./keygen/key-share.ts";

/**
 * The public key that a key's signatures verify under, as its scheme writes it: 33 bytes, compressed, for ECDSA; 32
 * bytes for Ed25519 (RFC 8032); 32 bytes, x alone, for BIP-340, which for FROST-Taproot are BIP-341's output key.
 */
export const publicKeyOf = <P extends GroupPoint<P>>({ scheme, publicKey }: PublicKeyInfo<P>): Uint8Array =>
  scheme.frost === undefined
    ? publicKey.toBytes()
    : scheme.frost.pointBytes(scheme.frost.signingKey(publicKey).publicKey);
