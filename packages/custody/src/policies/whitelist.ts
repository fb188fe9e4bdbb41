import type { AddressKeys } from "../families/address-keys.ts";
import type { SigningActivity } from "./activity.ts";

/** In the time that it takes to spell one entry with a checksum (some 25 µs), this many entries are keyed. */
const KEYED_MEANWHILE = 32;

type Spell = SigningActivity["spell"];

/** A whitelist as its entries are found. */
interface KeyedList {
  readonly byKey: ReadonlyMap<string, readonly string[]>;
  /** how entries are spelled, of those that were looked at */
  readonly spelled: Map<string, string>;
}

/** Whitelists that were read, by how their addresses are spelled. A list of ten thousand is read once while it is held. */
const READ = new WeakMap<readonly string[], WeakMap<Spell, KeyedList>>();
/** The recipients of an activity, each once: how it is spelled, and how it is written. */
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
  // of two that read it at once, one keeps what both spell
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
 * Looks for a recipient that is not on a whitelist, in steps, so that the caller may do other work in between.
 * A second look at the same list and recipients takes a moment.
 * @returns the first such recipient as the activity has it; undefined where each is on the list. Of each step:
 * in the time of how many
 *   spellings it was done
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
