import type { AddressKeys } from "../families/address-keys.ts";
import type { SigningActivity } from "./activity.ts";

/** How many keys of entries are computed in the time of spelling one entry with a checksum (some 25 µs). */
const KEYED_MEANWHILE = 32;

type Spell = SigningActivity["spell"];

/** A whitelist with an index of its entries. */
interface KeyedList {
  readonly byKey: ReadonlyMap<string, readonly string[]>;
  /** spellings of the entries that were compared so far */
  readonly spelled: Map<string, string>;
}

/** The cache of indexed whitelists, by spelling. A list of ten thousand is indexed once while the list is in memory. */
const READ = new WeakMap<readonly string[], WeakMap<Spell, KeyedList>>();
/** The distinct recipients of an activity: canonical spelling to the text as written. */
const RECIPIENTS = new WeakMap<SigningActivity, ReadonlyMap<string, string>>();

const listOf = function* (
  addresses: readonly string[],
  spell: Spell,
  { ofEntry }: AddressKeys,
): Generator<number, KeyedList> {
  const read = READ.get(addresses) ?? new WeakMap<Spell, KeyedList>();
  READ.set(addresses, read);
  const known = read.get(spell);
  if (known !== undefined) return known;
  const byKey = new Map<string, string[]>();
  let count = 0;
  for (const entry of new Set(addresses)) {
    const key = ofEntry(entry);
    const alike = byKey.get(key);
    if (alike === undefined) byKey.set(key, [entry]);
    else alike.push(entry);
    count += 1;
    if (count % KEYED_MEANWHILE === 0) yield 1;
  }
  // if two callers index it at once, both then use the same one
  const list = read.get(spell) ?? { byKey, spelled: new Map() };
  read.set(spell, list);
  return list;
};

const recipientsOf = (activity: SigningActivity): ReadonlyMap<string, string> => {
  const known = RECIPIENTS.get(activity);
  if (known !== undefined) return known;
  const recipients = new Map<string, string>();
  for (const { recipient } of activity.effects.movements) {
    const spelled = activity.spell(recipient);
    if (!recipients.has(spelled)) recipients.set(spelled, recipient);
  }
  RECIPIENTS.set(activity, recipients);
  return recipients;
};

/**
 * Searches for a recipient that is not on a whitelist, in steps, so that the caller may do other work in
 * between. The index is cached, so a second search of the same list and recipients is fast.
 * @returns the first such recipient, as the activity writes it; undefined if all are on the list. After each
 * step: its cost as a number of spellings
 */
export const strangerTo = function* (
  addresses: readonly string[],
  activity: SigningActivity,
): Generator<number, string | undefined> {
  const { spell, addressKeys = { ofEntry: spell, ofAddress: (spelled) => [spelled] } } = activity;
  const { byKey, spelled: known } = yield* listOf(addresses, spell, addressKeys);
  for (const [spelled, recipient] of recipientsOf(activity)) {
    let isListed = false;
    for (const entry of addressKeys.ofAddress(spelled).flatMap((key) => byKey.get(key) ?? [])) {
      if (!known.has(entry)) {
        known.set(entry, spell(entry));
        yield 1;
      }
      isListed = known.get(entry) === spelled;
      if (isListed) break;
    }
    if (!isListed) return recipient;
  }
  return undefined;
};
