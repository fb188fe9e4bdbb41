import { ok, type Result } from "@conclave/custody";
import type { PendingEpoch } from "../control/pending-epoch.ts";
import { sharesPending } from "./key-change/next-share.ts";
import { keyFactsOf } from "./records/key-records.ts";
import { entriesOf } from "./records/persistent-map.ts";
import { type KeyFacts, RECORDS, type StoredRecord } from "./records/record.ts";
import type { SignerState } from "./state.ts";

/** Keys that may be asked for by name at once. */
export const KEYS_NAMED_MAX = 32;
/** Keys of one page. */
export const KEYS_PER_PAGE_MAX = 1_000;
/** A page ends once it is about so long: far below what a message may be. */
const PAGE_BYTES = 256 * 1024;
/** Next epochs of one key that are shown: the latest. A key has none or one, unless changes of it fail again and again. */
const EPOCHS_SHOWN_MAX = 64;
/** About what a key and a next epoch take in a message beside the key's id. */
const KEY_BYTES = 64;
const EPOCH_BYTES = 192;

/** A signer's holdings of one key, as far as they may be shown: none of it is secret. */
export interface KeyHolding {
  readonly keyId: string;
  readonly state: "absent" | "pending" | "active";
  /** of the share that it holds; 0 when absent */
  readonly epoch: number;
  /** empty when absent */
  readonly publicKey: Uint8Array;
  /** a client brought it */
  readonly isImported: boolean;
  /** this signer's share of it was handed out to a client */
  readonly isExported: boolean;
  /** shares of next epochs that wait for their certificates, ascending */
  readonly next: readonly PendingEpoch[];
}

/** The question: keys by name, each of which gets an entry, or a page of those that the signer holds. */
export type KeysAsked =
  | { readonly kind: "named"; readonly keyIds: readonly string[] }
  | {
      readonly kind: "page";
      /** all; those that are pending; or those of which a share of a next epoch waits */
      readonly which: "all" | "pending" | "waiting";
      /** `next` of the page before; undefined for the first */
      readonly after: string | undefined;
      /** keys at most; no page has more than KEYS_PER_PAGE_MAX */
      readonly most: number;
    };

export interface KeyPage {
  readonly keys: readonly KeyHolding[];
  /** after which the next page begins; undefined when this is the last */
  readonly next: string | undefined;
}

/** A signer's answer about a key of which it holds nothing. */
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
    // the store may be ahead of the state, by a switch to one of them
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

/** Records of the store that a page is made of: so many of those with a prefix, after a name. */
export interface PageRange {
  readonly prefix: string;
  /** a record's name; empty for the first */
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

/** The records that have to be read of the store in a range before `heldKeys`; undefined when there are none. */
export const rangeFor = (asked: KeysAsked): PageRange | undefined => {
  const format = asked.kind === "page" ? formatOf(asked.which) : undefined;
  if (asked.kind !== "page" || format === undefined) return undefined;
  const after = asked.after === undefined ? "" : format.name(asked.after);
  return { prefix: format.name(""), after, limit: keysOnPage(asked) + 1 };
};

/** Ids of the keys after one of which shares of next epochs wait, ascending. */
const waitingAfter = ({ next }: SignerState, after: string | undefined): readonly string[] =>
  [...entriesOf(next)]
    .map(([keyId]) => keyId)
    .filter((keyId) => after === undefined || keyId > after)
    .sort();

/** Keys that belong on a page, ascending: those found in the store, and those of which there is but a next epoch. */
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
    if (asked.which === "pending" && holding.state !== "pending") continue; // it was when the marks were read
    keys.push(holding);
    bytes += bytesOf(holding);
  }
  return { keys, next: undefined };
};

/**
 * A signer's holdings of keys. Its answer is bounded in keys and in bytes, whatever is asked and however much it holds:
 * at most KEYS_NAMED_MAX of the names are looked at.
 *
 * @param found the records that the store has in the range that it takes (rangeFor), ascending
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
 * The same, with what it takes of the store. The state is the one of before the reading: so the store may be ahead of it, and never
 * behind. A key of before a switch, in a state of after it, would be shown in neither epoch.
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
