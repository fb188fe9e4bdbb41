import { bytesToNumberBE } from "@noble/curves/utils.js";
import { PARTIES_MAX, type PartyIndex, partyIndex } from "../fault.ts";
import { MERKLE_ROOT_BYTES } from "../frost/bip340-suites.ts";
import type { Attempt } from "./attempt.ts";
import { notShown } from "./signed-record.ts";

/** An epoch among the agreed values: unsigned, big-endian. */
export const EPOCH_BYTES = 4;

/** The value that ends `agreed`, as the cluster names the lives of its parties. No other value is so long, so a run of before, which has none, reads as it is. */
export const LIVES_BYTES = 64;

/** The lengths of the values that begin `agreed`, by protocol. Because they are fixed, no value can pass for another. */
const LENGTHS = {
  auxiliary: [EPOCH_BYTES],
  "key-generation": [],
  "key-import": [],
  "key-export": [],
  "key-refresh": [32, EPOCH_BYTES],
  "key-reshare": [32, EPOCH_BYTES, PARTIES_MAX / 8, PARTIES_MAX / 8],
  presigning: [32, 32],
  signing: [32, 1, 32, 32, 32],
  "pooled-signing": [32, 1, 32, 32, 32, 32],
  frost: [32, 1, 32, 32],
} as const;

type Layout = keyof typeof LENGTHS;

const layoutOf = ({ protocol, scheme }: Attempt): Layout =>
  protocol === "signing" && scheme !== "CGGMP24" ? "frost" : protocol;

const KEY_AT: Partial<Record<Layout, number>> = {
  "key-refresh": 0,
  "key-reshare": 0,
  presigning: 0,
  signing: 2,
  "pooled-signing": 2,
  frost: 2,
};
const NEXT_EPOCH_AT: Partial<Record<Layout, number>> = { "key-refresh": 1, "key-reshare": 1 };
const DEALERS_AT: Partial<Record<Layout, number>> = { "key-reshare": 2 };
const RECEIVERS_AT: Partial<Record<Layout, number>> = { "key-reshare": 3 };
/** the signed bytes: a digest for ECDSA, SHA-256 of the message for FROST */
const SIGNED_AT: Partial<Record<Layout, number>> = { signing: 3, "pooled-signing": 3, frost: 3 };
/** A Taproot key may be tweaked with the root of a script tree, which follows the values that every run of FROST has. */
const MERKLE_ROOT_AT: number = LENGTHS.frost.length;
const AUXILIARY_AT: Partial<Record<Layout, number>> = { presigning: 1, signing: 4 };
const PRESIGNATURE_AT: Partial<Record<Layout, number>> = { "pooled-signing": 5 };

const valueAt =
  (places: Partial<Record<Layout, number>>, what: string) =>
  (attempt: Attempt): Uint8Array => {
    const layout = layoutOf(attempt);
    const lengths: readonly number[] = LENGTHS[layout];
    const isLaidOut = lengths.every((length, at) => attempt.agreed[at]?.length === length);
    const place = places[layout];
    const value = place === undefined || !isLaidOut ? undefined : attempt.agreed[place];
    return value ?? notShown(`the session binds no ${what}`);
  };

/** keyDigest of the key that the parties held. */
export const agreedKey = valueAt(KEY_AT, "key");
/** publicAuxiliaryDigest of the auxiliary info that the parties held. */
export const agreedAuxiliary = valueAt(AUXILIARY_AT, "auxiliary information");
/** The digest that the parties sign, or SHA-256 of the message. */
export const agreedDigest = valueAt(SIGNED_AT, "message");
/** The root of the script tree that a Taproot key is tweaked with, 32 bytes; undefined for an empty one. */
export const agreedMerkleRoot = (attempt: Attempt): Uint8Array | undefined => {
  const root = attempt.agreed[MERKLE_ROOT_AT];
  if (layoutOf(attempt) !== "frost" || root === undefined || root.length === LIVES_BYTES) return undefined;
  const isFit = attempt.scheme === "FROST-Taproot" && root.length === MERKLE_ROOT_BYTES;
  return isFit ? root : notShown("the session binds what is no merkle root");
};
/** presignatureId of the presignature that the parties spend. */
export const agreedPresignature = valueAt(PRESIGNATURE_AT, "presignature");

const agreedNextEpochBytes = valueAt(NEXT_EPOCH_AT, "next epoch");

/** The epoch of the shares that a refresh or reshare makes. */
export const agreedNextEpoch = (attempt: Attempt): number =>
  Number(bytesToNumberBE(agreedNextEpochBytes(attempt)));

/** Parties as a bit for each, so that a session id which binds them shows them too. */
export const partiesMask = (parties: readonly PartyIndex[]): Uint8Array => {
  const mask = new Uint8Array(PARTIES_MAX / 8);
  for (const party of parties) {
    const at = party - 1;
    mask[at >> 3] = (mask[at >> 3] ?? 0) | (1 << (at & 7));
  }
  return mask;
};

const partiesIn = (mask: Uint8Array): readonly PartyIndex[] =>
  Array.from({ length: PARTIES_MAX }, (_, at) => at)
    .filter((at) => ((mask[at >> 3] ?? 0) >> (at & 7)) % 2 === 1)
    .flatMap((at) => partyIndex(at + 1) ?? []);

const dealersAt = valueAt(DEALERS_AT, "dealers");
const receiversAt = valueAt(RECEIVERS_AT, "receivers");

/** The dealers of a reshare, ascending. */
export const agreedDealers = (attempt: Attempt): readonly PartyIndex[] => partiesIn(dealersAt(attempt));
/** The receivers of a reshare, ascending. */
export const agreedReceivers = (attempt: Attempt): readonly PartyIndex[] => partiesIn(receiversAt(attempt));
