import { concatBytes } from "@noble/curves/utils.js";
import {
  type Codec,
  convert,
  countedList,
  decode,
  encode,
  fixedBytes,
  pointCodecOf,
  scalarCodecOf,
  struct,
  text,
  uint,
} from "../codec.ts";
import { type GroupPoint, multiplyGenerator, type Point, SCALAR_BYTES } from "../curve.ts";
import { PARTIES_MAX, type PartyIndex, partyIndex } from "../fault.ts";
import { CGGMP24, type Scheme, type SchemeName, withScheme } from "../scheme.ts";
import { Secret } from "../secret.ts";
import { type Material, NO_MATERIAL } from "../session/material.ts";
import { interpolatePoint, isOfDegreeBelow } from "../sharing/lagrange.ts";

/** The public part of a key. */
export interface PublicKeyInfo<P extends GroupPoint<P> = Point> {
  readonly scheme: Scheme<P>;
  readonly keyId: string;
  /** t: this many parties sign together */
  readonly threshold: number;
  /** ascending, distinct; party i holds f(i) */
  readonly parties: readonly PartyIndex[];
  /** Y = f(0)·G */
  readonly publicKey: P;
  /** X_j = f(j)·G for every party j, ascending */
  readonly publicShares: ReadonlyMap<PartyIndex, P>;
  /** c, 32 bytes */
  readonly chainCode: Uint8Array;
  readonly epoch: number;
}

/** One party's share of a key: x_i = f(i), and the public part. */
export interface KeyShare<P extends GroupPoint<P> = Point> {
  readonly info: PublicKeyInfo<P>;
  readonly self: PartyIndex;
  readonly secretShare: Secret<bigint>;
}

/** The largest length of a key id as UTF-8. */
export const KEY_ID_BYTES_MAX = 256;
const CHAIN_CODE_BYTES = 32;
const SCHEME_BYTES_MAX = 32;
const FORMAT = 2;
/** The format of version 0.1: all keys were for ECDSA, and shares named no scheme. */
const FORMAT_WITHOUT_SCHEME = 1;

interface StoredInfo<P> {
  readonly format: number;
  readonly scheme: string;
  readonly keyId: string;
  readonly threshold: number;
  readonly epoch: number;
  readonly publicKey: P;
  readonly shares: readonly { readonly party: number; readonly share: P }[];
  readonly chainCode: Uint8Array;
}

const storedInfoCodec = <P>(point: Codec<P>): Codec<StoredInfo<P>> =>
  struct<StoredInfo<P>>({
    format: uint(1),
    scheme: text(SCHEME_BYTES_MAX),
    keyId: text(KEY_ID_BYTES_MAX),
    threshold: uint(1),
    epoch: uint(4),
    publicKey: point,
    shares: countedList(struct({ party: uint(1), share: point }), PARTIES_MAX),
    chainCode: fixedBytes(CHAIN_CODE_BYTES),
  });

const formatInfo = <P extends GroupPoint<P>>(info: PublicKeyInfo<P>): StoredInfo<P> => {
  const { scheme, keyId, threshold, epoch, publicKey, publicShares, chainCode } = info;
  const shares = [...publicShares].map(([party, share]) => ({ party, share }));
  return { format: FORMAT, scheme: scheme.name, keyId, threshold, epoch, publicKey, shares, chainCode };
};

/** P10: indices are ascending, hence distinct, and not zero; any t shares determine the key and all other shares. */
const parseInfo = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  stored: StoredInfo<P>,
): PublicKeyInfo<P> | undefined => {
  const { format, keyId, threshold, epoch, publicKey, shares, chainCode } = stored;
  if (format !== FORMAT || stored.scheme !== scheme.name) return undefined;
  const publicShares = new Map<PartyIndex, P>();
  let previous = 0;
  for (const { party, share } of shares) {
    const index = partyIndex(party);
    if (index === undefined || index <= previous) return undefined;
    publicShares.set(index, share);
    previous = index;
  }
  if (threshold < 2 || threshold > publicShares.size) return undefined;
  const quorum = new Map([...publicShares].slice(0, threshold));
  if (!interpolatePoint(scheme.curve, quorum, 0).equals(publicKey)) return undefined;
  if (!isOfDegreeBelow(scheme.curve, publicShares, threshold)) return undefined;
  const parties = [...publicShares.keys()];
  return { scheme, keyId, threshold, parties, publicKey, publicShares, chainCode, epoch };
};

/** Encodes the public part of a key, for stores and other parties. Decoded values are consistent and of this scheme. */
export const publicKeyInfoCodec = <P extends GroupPoint<P>>(scheme: Scheme<P>): Codec<PublicKeyInfo<P>> =>
  convert(
    storedInfoCodec(pointCodecOf(scheme.curve)),
    (stored) => parseInfo(scheme, stored),
    formatInfo,
    "not a consistent public key of its scheme",
  );

interface StoredShare<P extends GroupPoint<P>> {
  readonly info: PublicKeyInfo<P>;
  readonly self: number;
  readonly secretShare: bigint;
}

const parseShare = <P extends GroupPoint<P>>({
  info,
  self,
  secretShare,
}: StoredShare<P>): KeyShare<P> | undefined => {
  const party = info.parties.find((index) => index === self);
  if (party === undefined || secretShare === 0n) return undefined;
  const expected = multiplyGenerator(info.scheme.curve, secretShare);
  const isOurs = info.publicShares.get(party)?.equals(expected) ?? false;
  return isOurs ? { info, self: party, secretShare: new Secret(secretShare) } : undefined;
};

/** Encodes a key share to canonical bytes for the sealed store. The bytes are secret: seal them before storing them. */
export const keyShareCodec = <P extends GroupPoint<P>>(scheme: Scheme<P>): Codec<KeyShare<P>> =>
  convert(
    struct<StoredShare<P>>({
      info: publicKeyInfoCodec(scheme),
      self: uint(1),
      secretShare: scalarCodecOf(scheme.curve),
    }),
    parseShare,
    ({ info, self, secretShare }) => ({ info, self, secretShare: secretShare.reveal() }),
    "not a share of its public key",
  );

/**
 * The length of the secret part, which keyShareCodec writes after the public one: the share's holder, and the
 * scalar.
 */
const OWN_BYTES = 1 + SCALAR_BYTES;

/**
 * The public part of a share, as publicKeyInfoCodec writes it. It is not parsed, since each point would cost
 * a test for its group, and this party encoded the share itself.
 *
 * @param share keyShareCodec of any scheme, from our own sealed store, which authenticates it
 * @throws when the bytes are too short for a share: a bug of ours
 */
export const infoBytesOfShare = (share: Uint8Array): Uint8Array => {
  if (share.length <= OWN_BYTES) throw new Error(`${share.length} bytes are no share of a key`);
  return share.subarray(0, -OWN_BYTES);
};

/** The parties that hold shares of a key, and the number of them that sign together. */
export interface KeyHolders {
  /** t */
  readonly threshold: number;
  /** ascending, distinct */
  readonly parties: readonly PartyIndex[];
}

/**
 * The holders of a stored share's key, without a test of its points.
 *
 * @param share keyShareCodec of the scheme, from our own sealed store, which authenticates it
 * @throws when the bytes are no share: a bug of ours
 */
export const holdersOfShare = (name: SchemeName, share: Uint8Array): KeyHolders =>
  withScheme(name, (scheme) => {
    const points = fixedBytes(scheme.curve.pointBytes);
    const decoded = decode(storedInfoCodec(points), infoBytesOfShare(share));
    if (!decoded.ok) throw new Error(`a stored share does not decode: ${decoded.reason}`);
    const { threshold, shares } = decoded.value;
    return { threshold, parties: shares.flatMap(({ party }) => partyIndex(party) ?? []) };
  });

/**
 * Converts a stored share to the current format, for keyShareCodec: a share of version 0.1 gets the name of its scheme; any
 * other bytes are returned unchanged.
 */
export const inCurrentFormat = (share: Uint8Array): Uint8Array => {
  if (share[0] !== FORMAT_WITHOUT_SCHEME) return share;
  const scheme = encode(text(SCHEME_BYTES_MAX), CGGMP24.name);
  return concatBytes(Uint8Array.of(FORMAT), scheme, share.subarray(1));
};

/** The public part of a key, as material for third parties that verify faults. */
export const keyMaterial = <P extends GroupPoint<P>>(info: PublicKeyInfo<P>): Material => ({
  ...NO_MATERIAL,
  key: encode(publicKeyInfoCodec(info.scheme), info),
});
