import type { PendingEpoch } from "../control/pending-epoch.ts";
import { heldKeys, KEYS_PER_PAGE_MAX, type KeyHolding } from "../signer/key-holdings.ts";
import type { SignerState } from "../signer/state.ts";

interface OwnKey extends KeyHolding {
  readonly state: "pending" | "active";
}

const isOwn = (key: KeyHolding): key is OwnKey => key.state !== "absent";

const allHoldings = (state: SignerState): readonly KeyHolding[] => {
  const held: KeyHolding[] = [];
  let after: string | undefined;
  do {
    const page = heldKeys(state, { kind: "page", which: "all", after, most: KEYS_PER_PAGE_MAX });
    held.push(...page.keys);
    after = page.next;
  } while (after !== undefined);
  return held;
};

/** All keys of which a signer holds a share of the present epoch. */
export const allHeldKeys = (state: SignerState): readonly OwnKey[] => allHoldings(state).filter(isOwn);

/** All shares of next epochs that a signer holds, and of which key. */
export const allNextShares = (state: SignerState): readonly (PendingEpoch & { readonly keyId: string })[] =>
  allHoldings(state).flatMap(({ keyId, next }) => next.map((share) => ({ keyId, ...share })));
