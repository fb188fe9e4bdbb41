import { bytesToNumberBE } from "@noble/curves/utils.js";
import { PARTIES_MAX, type PartyIndex, partyIndex } from "../fault.ts";
import { MERKLE_ROOT_BYTES } from "../frost/bip340-suites.ts";
import type { Attempt } from "./attempt.ts";
import { notShown } from "./signed-record.ts";

/** The length of an epoch among the agreed values: unsigned, big-endian. */
export const EPOCH_BYTES = 4;

/**
 * The length of the last value of `agreed`, by which the cluster names the lives of its parties; runs of the
 * previous version have none. Any other value that may come last is longer: so another split of the same bytes,
 * which has the same session id, cannot be misread.
 */
export const LIVES_BYTES = 28;

/** The lengths of the first values of `agreed`, by protocol. They are fixed, so no value can pass for another. */
const LENGTHS = {
  auxiliary: [EPOCH_BYTES],
  "key-generation": [],
  "key-import": [32],
  "key-export": [32],
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
/** the value that is signed: a digest for ECDSA, SHA-256 of the message for FROST */
const SIGNED_AT: Partial<Record<Layout, number>> = { signing: 3, "pooled-signing": 3, frost: 3 };
/**
 * Only runs of Taproot keys may have this value: the root of the script tree that tweaks the key, after
 * FROST's fixed values.
 */
const MERKLE_ROOT_AT: number = LENGTHS.frost.length;
const AUXILIARY_AT: Partial<Record<Layout, number>> = { presigning: 1, signing: 4 };
const PRESIGNATURE_AT: Partial<Record<Layout, number>> = { "pooled-signing": 5 };

const valueAt =
  (places: Partial<Record<Layout, number>>, what: string) =>
  (attempt: Attempt): Uint8Array => {
    const place = places[layoutOf(attempt)];
    const value = place === undefined || !isLaidOut(attempt) ? undefined : attempt.agreed[place];
    return value ?? notShown(`the session binds no ${what}`);
  };

/**
 * Whether each value of an attempt has its expected length: the protocol's values, an optional script tree's
 * root, and the lives.
 */
const isLaidOut = (attempt: Attempt): boolean => {
  const layout = layoutOf(attempt);
  const lengths = attempt.agreed.map(({ length }) => length);
  const fixed: readonly number[] = LENGTHS[layout];
  const rest = lengths.slice(fixed.length);
  const mayHaveRoot = layout === "frost" && attempt.scheme === "FROST-Taproot";
  const tail = mayHaveRoot && rest[0] === MERKLE_ROOT_BYTES ? rest.slice(1) : rest;
  return (
    fixed.every((length, at) => lengths[at] === length) &&
    (tail.length === 0 || (tail.length === 1 && tail[0] === LIVES_BYTES))
  );
};

/** The keyDigest of the parties' key. */
export const agreedKey = valueAt(KEY_AT, "key");
/** The publicAuxiliaryDigest of the parties' auxiliary info. */
export const agreedAuxiliary = valueAt(AUXILIARY_AT, "auxiliary information");
/** The digest that the parties sign, or SHA-256 of the message. */
export const agreedDigest = valueAt(SIGNED_AT, "message");
/** The root of the script tree that tweaks a Taproot key, 32 bytes; undefined for an empty tree. */
export const agreedMerkleRoot = (attempt: Attempt): Uint8Array | undefined => {
  if (!isLaidOut(attempt)) return notShown("the session binds values of other lengths");
  const root = layoutOf(attempt) === "frost" ? attempt.agreed[MERKLE_ROOT_AT] : undefined;
  return root?.length === MERKLE_ROOT_BYTES ? root : undefined;
};
/** The presignatureId of the presignature that the parties spend. */
export const agreedPresignature = valueAt(PRESIGNATURE_AT, "presignature");

const agreedNextEpochBytes = valueAt(NEXT_EPOCH_AT, "next epoch");

/** The epoch of the shares that result from a refresh or reshare. */
export const agreedNextEpoch = (attempt: Attempt): number =>
  Number(bytesToNumberBE(agreedNextEpochBytes(attempt)));

/** Encodes parties as a bit mask, so that a session id that binds the mask also shows the parties. */
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
