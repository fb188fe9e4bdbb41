import { ok, type Result } from "@conclave/custody";
import type { PendingEpoch } from "../control/pending-epoch.ts";
import { sharesPending } from "./key-change/next-share.ts";
import { keyFactsOf } from "./records/key-records.ts";
import { entriesOf } from "./records/persistent-map.ts";
import { type KeyFacts, RECORDS, type StoredRecord } from "./records/record.ts";
import type { SignerState } from "./state.ts";

/** Limit on the keys in one question by name. */
export const KEYS_NAMED_MAX = 32;
/** Limit on the keys of one page. */
export const KEYS_PER_PAGE_MAX = 1_000;
/** Size at which a page ends: far below the limit of a message. */
const PAGE_BYTES = 256 * 1024;
/**
 * Limit on the next epochs that are shown of one key, the latest. A key has none or one, unless its changes fail again
 * and again.
 */
const EPOCHS_SHOWN_MAX = 64;
/** Approximate size of a key and of a next epoch in a message, without the key's id. */
const KEY_BYTES = 64;
const EPOCH_BYTES = 192;

/** The public facts of a signer's share of one key, and of its next epochs. */
export interface KeyHolding {
  readonly keyId: string;
  readonly state: "absent" | "pending" | "active";
  /** epoch of the share that it holds; 0 when absent */
  readonly epoch: number;
  /** empty when absent */
  readonly publicKey: Uint8Array;
  /** whether a client imported it */
  readonly isImported: boolean;
  /** whether this signer's share of it was exported to a client */
  readonly isExported: boolean;
  /** shares of next epochs that wait for their certificates, ascending */
  readonly next: readonly PendingEpoch[];
}

/** The question: keys by name, each of which gets an entry, or a page of the keys that the signer holds. */
export type KeysAsked =
  | { readonly kind: "named"; readonly keyIds: readonly string[] }
  | {
      readonly kind: "page";
      /** all; pending ones; or those with a share of a next epoch that waits for its certificate */
      readonly which: "all" | "pending" | "waiting";
      /** `next` of the previous page; undefined for the first */
      readonly after: string | undefined;
      /** limit on the keys; no page has more than KEYS_PER_PAGE_MAX */
      readonly most: number;
    };

export interface KeyPage {
  readonly keys: readonly KeyHolding[];
  /** where the next page continues; undefined for the last page */
  readonly next: string | undefined;
}

/** The answer about a key of which the signer holds no share. */
export const nothingHeld = (keyId: string): KeyHolding => ({
  keyId,
  state: "absent",
  epoch: 0,
  publicKey: new Uint8Array(0),
  isImported: false,
  isExported: false,
  next: [],
});

export const shownEpoch = ({ from, epoch, session, digest, receipt }: PendingEpoch): PendingEpoch => ({
  from,
  epoch,
  session,
  digest,
  receipt,
});

const holdingWith = (state: SignerState, keyId: string, facts: KeyFacts | undefined): KeyHolding => {
  const epoch = facts?.epoch ?? 0;
  return {
    keyId,
    state: facts?.state ?? "absent",
    epoch,
    publicKey: facts?.publicKey ?? new Uint8Array(0),
    isImported: facts?.imported === true,
    isExported: facts?.exported === true,
    // the store may be ahead of the state by a switch to one of these
    next: sharesPending(state, keyId)
      .filter((share) => share.epoch > epoch)
      .slice(-EPOCHS_SHOWN_MAX)
      .map(shownEpoch),
  };
};

const holdingOf = (state: SignerState, keyId: string): KeyHolding =>
  holdingWith(state, keyId, keyFactsOf(state, keyId));

const bytesOf = ({ keyId, next }: KeyHolding): number => KEY_BYTES + keyId.length + next.length * EPOCH_BYTES;

type PageAsked = Extract<KeysAsked, { readonly kind: "page" }>;

/** A range of the store's records from which a page is made: `limit` records with a prefix, after a name. */
export interface PageRange {
  readonly prefix: string;
  /** a record's name; empty for the first page */
  readonly after: string;
  readonly limit: number;
}

const keysOnPage = ({ most }: PageAsked): number => Math.max(1, Math.min(most, KEYS_PER_PAGE_MAX));

const formatOf = (which: PageAsked["which"]) => {
  switch (which) {
    case "all":
      return RECORDS.keyFacts;
    case "pending":
      return RECORDS.pendingKey;
    case "waiting":
      return undefined;
  }
};

/** The range of records that `heldKeys` needs; undefined when it needs none. */
export const rangeFor = (asked: KeysAsked): PageRange | undefined => {
  const format = asked.kind === "page" ? formatOf(asked.which) : undefined;
  if (asked.kind !== "page" || format === undefined) return undefined;
  const after = asked.after === undefined ? "" : format.name(asked.after);
  return { prefix: format.name(""), after, limit: keysOnPage(asked) + 1 };
};

/** Ids, after the given one, of the keys with a share of a next epoch that waits; ascending. */
const waitingAfter = ({ next }: SignerState, after: string | undefined): readonly string[] =>
  [...entriesOf(next)]
    .map(([keyId]) => keyId)
    .filter((keyId) => after === undefined || keyId > after)
    .sort();

/** Keys for a page, ascending: those found in the store, and those of which there is only a next epoch. */
function* allAfter(
  state: SignerState,
  { after }: PageAsked,
  found: readonly StoredRecord[],
): Generator<KeyHolding> {
  const waiting = [...waitingAfter(state, after)];
  for (const stored of found) {
    const keyId = RECORDS.keyFacts.idOf(stored.record) ?? "";
    while (waiting[0] !== undefined && waiting[0] <= keyId) {
      const other = waiting.shift();
      if (other !== undefined && other !== keyId) yield holdingWith(state, other, undefined);
    }
    yield holdingWith(state, keyId, RECORDS.keyFacts.read(stored));
  }
  for (const keyId of waiting) yield holdingWith(state, keyId, undefined);
}

const candidates = (
  state: SignerState,
  asked: PageAsked,
  found: readonly StoredRecord[],
): Iterable<KeyHolding> => {
  switch (asked.which) {
    case "all":
      return allAfter(state, asked, found);
    case "pending":
      return found.map(({ record }) => holdingOf(state, RECORDS.pendingKey.idOf(record) ?? ""));
    case "waiting":
      return [...waitingAfter(state, asked.after)]
        .slice(0, keysOnPage(asked) + 1)
        .map((keyId) => holdingOf(state, keyId));
  }
};

const pageOf = (state: SignerState, asked: PageAsked, found: readonly StoredRecord[]): KeyPage => {
  const most = keysOnPage(asked);
  const keys: KeyHolding[] = [];
  let [bytes, seen] = [0, 0];
  let last: string | undefined;
  for (const holding of candidates(state, asked, found)) {
    if (last !== undefined && (seen >= most || bytes >= PAGE_BYTES)) return { keys, next: last };
    seen += 1;
    last = holding.keyId;
    if (asked.which === "pending" && holding.state !== "pending") continue; // activated since its mark was read
    keys.push(holding);
    bytes += bytesOf(holding);
  }
  return { keys, next: undefined };
};

/**
 * A signer's keys. The answer is limited in keys and bytes, whatever the question: at most KEYS_NAMED_MAX names are
 * looked up.
 *
 * @param found the store's records in the range of `rangeFor`, ascending
 */
export const heldKeys = (
  state: SignerState,
  asked: KeysAsked,
  found: readonly StoredRecord[] = [],
): KeyPage =>
  asked.kind === "page"
    ? pageOf(state, asked, found)
    : {
        keys: asked.keyIds.slice(0, KEYS_NAMED_MAX).map((keyId) => holdingOf(state, keyId)),
        next: undefined,
      };

/**
 * `heldKeys` with its records read from the store. The state is older than the records, so the store may be ahead of
 * the state, never behind: otherwise a key would be missing in both epochs after a switch.
 *
 * @param state of which all effects are carried out
 */
export const readHeldKeys = async (
  state: SignerState,
  asked: KeysAsked,
  read: (range: PageRange) => Promise<Result<readonly StoredRecord[]>>,
): Promise<Result<KeyPage>> => {
  const range = rangeFor(asked);
  if (range === undefined) return ok(heldKeys(state, asked));
  const found = await read(range);
  return found.ok ? ok(heldKeys(state, asked, found.value)) : found;
};
