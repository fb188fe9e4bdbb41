import {
  decode,
  encode,
  type GroupPoint,
  keyDigest,
  keyShareCodec,
  type PartyIndex,
  type PublicKeyInfo,
  publicKeyInfoCodec,
  publicKeyOf,
  type Scheme,
  type SchemeName,
  type Secret,
  withScheme,
} from "@conclave/threshold";
import { PUBLIC_INFO_BYTES_MAX } from "../limits.ts";

/** All public data of a key in one epoch, without the type parameter of its points. */
export interface PublicInfo {
  readonly scheme: SchemeName;
  /** publicKeyInfoCodec */
  readonly bytes: Uint8Array;
  /** keyDigest, of all fields here */
  readonly digest: Uint8Array;
  readonly keyId: string;
  readonly epoch: number;
  readonly threshold: number;
  readonly parties: readonly PartyIndex[];
  readonly publicKey: Uint8Array;
}

const SCHEMES: readonly SchemeName[] = ["CGGMP24", "FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"];

const described = <P extends GroupPoint<P>>(scheme: Scheme<P>, info: PublicKeyInfo<P>): PublicInfo => ({
  scheme: scheme.name,
  bytes: encode(publicKeyInfoCodec(scheme), info),
  digest: keyDigest(info),
  keyId: info.keyId,
  epoch: info.epoch,
  threshold: info.threshold,
  parties: info.parties,
  publicKey: publicKeyOf(info),
});

/**
 * The public info of a stored share.
 *
 * @param share keyShareCodec of the scheme
 * @throws when the share, which comes from our own sealed store, does not decode
 */
export const infoOfShare = (name: SchemeName, share: Secret<Uint8Array>): PublicInfo =>
  withScheme(name, (scheme) => {
    const decoded = decode(keyShareCodec(scheme), share.reveal());
    if (!decoded.ok) throw new Error(`a stored share does not decode: ${decoded.reason}`);
    return described(scheme, decoded.value.info);
  });

/**
 * Decodes the public info of a key from an untrusted source; undefined when it is inconsistent. It is not authenticated
 * yet.
 */
export const readPublicInfo = (bytes: Uint8Array): PublicInfo | undefined => {
  if (bytes.length > PUBLIC_INFO_BYTES_MAX) return undefined;
  for (const name of SCHEMES) {
    const info = withScheme(name, (scheme) => {
      const decoded = decode(publicKeyInfoCodec(scheme), bytes);
      return decoded.ok ? described(scheme, decoded.value) : undefined;
    });
    if (info !== undefined) return info;
  }
  return undefined;
};
