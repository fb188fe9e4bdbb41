import type { PendingEpoch } from "../control/pending-epoch.ts";
import { sharesPending } from "./key-change/next-share.ts";
import { keysAfter, lookUp } from "./records/persistent-map.ts";
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

/** What a signer holds of one key, as far as it may be shown: nothing of it is secret. */
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

/** What is asked for: keys by name, each of which gets an entry, or a page of those that the signer holds. */
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

/** What a signer says of a key of which it holds nothing. */
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

const holdingOf = (state: SignerState, keyId: string): KeyHolding => {
  const key = lookUp(state.keys, keyId);
  return {
    keyId,
    state: key?.state ?? "absent",
    epoch: key?.epoch ?? 0,
    publicKey: key?.publicKey ?? new Uint8Array(0),
    isImported: key?.imported === true,
    isExported: (key?.exports ?? []).length > 0,
    next: sharesPending(state, keyId).slice(-EPOCHS_SHOWN_MAX).map(shownEpoch),
  };
};

const bytesOf = ({ keyId, next }: KeyHolding): number => KEY_BYTES + keyId.length + next.length * EPOCH_BYTES;

type PageAsked = Extract<KeysAsked, { readonly kind: "page" }>;

/** Ids of keys that belong on pages, in the one order that pages have. */
const idsAfter = (state: SignerState, { which, after }: PageAsked): Iterable<string> => {
  switch (which) {
    case "all":
      return keysAfter<unknown>([state.keys, state.next], after, () => true);
    case "pending":
      return keysAfter([state.keys], after, (key) => key.state === "pending");
    case "waiting":
      return keysAfter([state.next], after, () => true);
  }
};

const pageOf = (state: SignerState, asked: PageAsked): KeyPage => {
  const most = Math.min(asked.most, KEYS_PER_PAGE_MAX);
  const keys: KeyHolding[] = [];
  let bytes = 0;
  for (const keyId of idsAfter(state, asked)) {
    const last = keys.at(-1);
    if (last !== undefined && (keys.length >= most || bytes >= PAGE_BYTES)) return { keys, next: last.keyId };
    const holding = holdingOf(state, keyId);
    keys.push(holding);
    bytes += bytesOf(holding);
  }
  return { keys, next: undefined };
};

/**
 * What a signer holds of keys. Its answer is bounded in keys and in bytes, whatever is asked and however much it holds:
 * at most KEYS_NAMED_MAX of the names are looked at.
 */
export const heldKeys = (state: SignerState, asked: KeysAsked): KeyPage =>
  asked.kind === "page"
    ? pageOf(state, asked)
    : {
        keys: asked.keyIds.slice(0, KEYS_NAMED_MAX).map((keyId) => holdingOf(state, keyId)),
        next: undefined,
      };
