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

/** All that is public of a key in one epoch, without the type of its points. */
export interface PublicInfo {
  readonly scheme: SchemeName;
  /** publicKeyInfoCodec */
  readonly bytes: Uint8Array;
  /** keyDigest: stands for everything here */
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
 * @throws when it does not decode: it is our own, from the sealed store
 */
export const infoOfShare = (name: SchemeName, share: Secret<Uint8Array>): PublicInfo =>
  withScheme(name, (scheme) => {
    const decoded = decode(keyShareCodec(scheme), share.reveal());
    if (!decoded.ok) throw new Error(`a stored share does not decode: ${decoded.reason}`);
    return described(scheme, decoded.value.info);
  });

/**
 * The public info of a key, as somebody states it; undefined when it is not consistent in itself. Nothing vouches for it yet.
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
