import {
  decode,
  type GroupPoint,
  keyDigest,
  keyShareCodec,
  type PartyIndex,
  publicKeyOf,
  type Scheme,
  type SchemeName,
  type Secret,
  withScheme,
} from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";

/** The facts of a share that a signer is about to report. */
export interface SaidOfShare {
  readonly keyId: string;
  readonly epoch: number;
  readonly publicKey: Uint8Array;
  readonly chainCode: Uint8Array;
  /** keyDigest; absent where none is reported */
  readonly digest?: Uint8Array;
}

/**
 * Whether the bytes that are about to be stored are this party's share of the key that it is about to report. The bytes
 * are compared before peers rely on them, because memory may fail between encoding and storing. The codec itself
 * compares the share times the generator with the party's public share, and the public shares with the public key.
 * Takes 2 ms at five signers, 0.25 s at 64.
 *
 * @param share keyShareCodec of the scheme, as it was read from the record
 */
export const isSoundShare = (
  name: SchemeName,
  self: PartyIndex,
  share: Secret<Uint8Array>,
  said: SaidOfShare,
): boolean =>
  withScheme(name, <P extends GroupPoint<P>>(scheme: Scheme<P>) => {
    const decoded = decode(keyShareCodec(scheme), share.reveal());
    if (!decoded.ok || decoded.value.self !== self) return false;
    const { info } = decoded.value;
    return (
      info.keyId === said.keyId &&
      info.epoch === said.epoch &&
      isSame(publicKeyOf(info), said.publicKey) &&
      isSame(info.chainCode, said.chainCode) &&
      (said.digest === undefined || isSame(keyDigest(info), said.digest))
    );
  });

const isSame = (one: Uint8Array, other: Uint8Array): boolean => bytesToHex(one) === bytesToHex(other);

/** The end of a session whose result is not stored because it is not sound: nobody cheated. */
export const UNSOUND = {
  kind: "failure",
  reason: "the bytes to be stored are not what the session made: memory of this signer may be failing",
  silent: [],
} as const;
