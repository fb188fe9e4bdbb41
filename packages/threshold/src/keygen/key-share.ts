import {
  type Codec,
  convert,
  countedList,
  fixedBytes,
  pointCodec,
  scalarCodec,
  struct,
  text,
  uint,
} from "../codec.ts";
import { PARTIES_MAX, type PartyIndex, partyIndex } from "../fault.ts";
import { multiplyBase, type Point } from "../group.ts";
import { Secret } from "../secret.ts";
import { interpolatePointAtZero } from "../sharing/lagrange.ts";

/** What everybody may know of a key. */
export interface PublicKeyInfo {
  readonly keyId: string;
  /** t: this many parties sign together */
  readonly threshold: number;
  /** ascending, distinct; party i holds f(i) */
  readonly parties: readonly PartyIndex[];
  /** Y = f(0)·G */
  readonly publicKey: Point;
  /** X_j = f(j)·G for every party j, ascending */
  readonly publicShares: ReadonlyMap<PartyIndex, Point>;
  /** c, 32 bytes */
  readonly chainCode: Uint8Array;
  readonly epoch: number;
}

/** One party's part of a key: x_i = f(i), and what is public. */
export interface KeyShare {
  readonly info: PublicKeyInfo;
  readonly self: PartyIndex;
  readonly secretShare: Secret<bigint>;
}

export const KEY_ID_BYTES_MAX = 256;
const CHAIN_CODE_BYTES = 32;
const FORMAT = 1;

interface StoredInfo {
  readonly format: number;
  readonly keyId: string;
  readonly threshold: number;
  readonly epoch: number;
  readonly publicKey: Point;
  readonly shares: readonly { readonly party: number; readonly share: Point }[];
  readonly chainCode: Uint8Array;
}

const storedInfoCodec: Codec<StoredInfo> = struct<StoredInfo>({
  format: uint(1),
  keyId: text(KEY_ID_BYTES_MAX),
  threshold: uint(1),
  epoch: uint(4),
  publicKey: pointCodec,
  shares: countedList(struct({ party: uint(1), share: pointCodec }), PARTIES_MAX),
  chainCode: fixedBytes(CHAIN_CODE_BYTES),
});

const formatInfo = (info: PublicKeyInfo): StoredInfo => {
  const { keyId, threshold, epoch, publicKey, publicShares, chainCode } = info;
  const shares = [...publicShares].map(([party, share]) => ({ party, share }));
  return { format: FORMAT, keyId, threshold, epoch, publicKey, shares, chainCode };
};

/** P10: ascending, so distinct, and none zero; the first t shares give the key, as any t do. */
const parseInfo = (stored: StoredInfo): PublicKeyInfo | undefined => {
  const { format, keyId, threshold, epoch, publicKey, shares, chainCode } = stored;
  const publicShares = new Map<PartyIndex, Point>();
  let previous = 0;
  for (const { party, share } of shares) {
    const index = partyIndex(party);
    if (index === undefined || index <= previous) return undefined;
    publicShares.set(index, share);
    previous = index;
  }
  if (format !== FORMAT || threshold < 2 || threshold > publicShares.size) return undefined;
  const quorum = new Map([...publicShares].slice(0, threshold));
  if (!interpolatePointAtZero(quorum).equals(publicKey)) return undefined;
  return { keyId, threshold, parties: [...publicShares.keys()], publicKey, publicShares, chainCode, epoch };
};

/** The public part of a key as it is stored and shown; what decodes is consistent in itself. */
export const publicKeyInfoCodec: Codec<PublicKeyInfo> = convert(
  storedInfoCodec,
  parseInfo,
  formatInfo,
  "not a consistent public key",
);

interface StoredShare {
  readonly info: PublicKeyInfo;
  readonly self: number;
  readonly secretShare: bigint;
}

const parseShare = ({ info, self, secretShare }: StoredShare): KeyShare | undefined => {
  const party = info.parties.find((index) => index === self);
  if (party === undefined || secretShare === 0n) return undefined;
  const isOurs = info.publicShares.get(party)?.equals(multiplyBase(secretShare)) ?? false;
  return isOurs ? { info, self: party, secretShare: new Secret(secretShare) } : undefined;
};

/** A key share as canonical bytes for the sealed store. The bytes are secret: seal them before they rest. */
export const keyShareCodec: Codec<KeyShare> = convert(
  struct<StoredShare>({ info: publicKeyInfoCodec, self: uint(1), secretShare: scalarCodec }),
  parseShare,
  ({ info, self, secretShare }) => ({ info, self, secretShare: secretShare.reveal() }),
  "not a share of its public key",
);
