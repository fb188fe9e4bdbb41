import { KEYS_PER_PAGE_MAX, type KeyHolding, type KeysAsked } from "@conclave/cluster";
import { fail, ok, type Result } from "@conclave/custody";
import type { SignerClient } from "./signer-client.ts";

/** Far more pages than a signer's keys fill; ends a listing that would never end. */
const PAGES_MAX = 1_000;

type KeySource = Pick<SignerClient, "listKeys">;

/**
 * A signer's entry of one key.
 *
 * @returns the entry, whose state is "absent" if the signer holds nothing; or the outage, if the signer did not answer
 */
export const heldKey = async (signer: KeySource, keyId: string): Promise<Result<KeyHolding>> => {
  const answer = await signer.listKeys({ kind: "named", keyIds: [keyId] });
  if (!answer.ok) return answer;
  const [key] = answer.value.keys;
  return key === undefined ? fail("ServiceUnavailable") : ok(key);
};

/**
 * All keys and shares that a signer holds, read page by page.
 *
 * @returns entries by key id; or the problem of the first page that failed, so that a part never passes for the whole
 */
export const everyKey = async (
  signer: KeySource,
  which: Extract<KeysAsked, { readonly kind: "page" }>["which"],
): Promise<Result<ReadonlyMap<string, KeyHolding>>> => {
  const all = new Map<string, KeyHolding>();
  let after: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await signer.listKeys({ kind: "page", which, after, most: KEYS_PER_PAGE_MAX });
    if (!page.ok) return page;
    for (const key of page.value.keys) all.set(key.keyId, key);
    if (page.value.next === undefined) return ok(all);
    after = page.value.next;
  }
  return fail("ServiceUnavailable", {}, "The signer's list of keys does not end.");
};
