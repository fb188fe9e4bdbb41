import type { PendingEpoch } from "../control/pending-epoch.ts";
import {
  heldKeys,
  KEYS_PER_PAGE_MAX,
  type KeyHolding,
  type KeysAsked,
  rangeFor,
} from "../signer/key-holdings.ts";
import { keepingKey, storedKey } from "../signer/records/key-records.ts";
import { KEY_TALLY_ID, type KeyRecord, RECORDS, type StoredRecord } from "../signer/records/record.ts";
import type { SignerState } from "../signer/state.ts";
import { afterWrites } from "./after-writes.ts";
import type { SignerNode } from "./signer-node.ts";

interface OwnKey extends KeyHolding {
  readonly state: "pending" | "active";
}

const isOwn = (key: KeyHolding): key is OwnKey => key.state !== "absent";

/** The records of a store from which a page of keys is made. */
export const foundFor = (
  records: ReadonlyMap<string, StoredRecord["value"]>,
  asked: KeysAsked,
): readonly StoredRecord[] => {
  const range = rangeFor(asked);
  if (range === undefined) return [];
  const { prefix, after, limit } = range;
  const names = [...records.keys()].filter((name) => name.startsWith(prefix) && name > after);
  return names
    .sort()
    .slice(0, limit)
    .flatMap((record) => {
      const value = records.get(record);
      return value === undefined ? [] : [{ record, value }];
    });
};

type Holder = Pick<SignerNode, "state" | "records">;

const allHoldings = ({ state, records }: Holder): readonly KeyHolding[] => {
  const held: KeyHolding[] = [];
  let after: string | undefined;
  do {
    if (state === undefined) return [];
    const asked = { kind: "page", which: "all", after, most: KEYS_PER_PAGE_MAX } as const;
    const page = heldKeys(state, asked, foundFor(records, asked));
    held.push(...page.keys);
    after = page.next;
  } while (after !== undefined);
  return held;
};

/** All keys of which a signer holds a share of the current epoch; none while it is dead. */
export const allHeldKeys = (node: Holder): readonly OwnKey[] => allHoldings(node).filter(isOwn);

/** All shares of next epochs that a signer holds, each with its key's id; none while the signer is dead. */
export const allNextShares = (node: Holder): readonly (PendingEpoch & { readonly keyId: string })[] =>
  allHoldings(node).flatMap(({ keyId, next }) => next.map((share) => ({ keyId, ...share })));

const namesOf = (keyId: string): readonly string[] =>
  [RECORDS.key, RECORDS.keyFacts, RECORDS.pendingKey].map(({ name }) => name(keyId));

/** A state whose store has this key, in place of its earlier record. */
export const withKey = (before: SignerState, keyId: string, key: KeyRecord): SignerState => {
  const { state, puts, erases } = keepingKey(before, keyId, key);
  return afterWrites({ state, effects: [{ kind: "batch", puts, erases, sync: true }] });
};

/** A state whose store lost a key with all its records. */
export const withoutKey = (state: SignerState, keyId: string): SignerState => {
  const keyCount = state.keyCount - (storedKey(state, keyId) === undefined ? 0 : 1);
  const erases = namesOf(keyId);
  return afterWrites({
    state: { ...state, keyCount },
    effects: [{ kind: "batch", puts: [], erases, sync: true }],
  });
};

/** Removes a key from a signer's records, as if it never had it; the next start counts the other keys anew. */
export const loseKey = (records: Map<string, unknown>, keyId: string): void => {
  for (const name of [...namesOf(keyId), RECORDS.keyTally.name(KEY_TALLY_ID)]) records.delete(name);
};
