import type { AreOurs } from "../../chain.ts";
import { flatMapInTurns, PROCESS_TURNS, type ReadingTurns } from "./in-turns.ts";

/** Most addresses in one question; a block of Solana has some hundred thousand. */
const ASKED_AT_ONCE = 10_000;

/**
 * Finds out which addresses belong to our wallets, asking about each address once, and not at all if there is none.
 *
 * @param addressOf the address of an arrival's recipient
 */
export const oursAmong = async <T>(
  areOurs: AreOurs,
  seen: Iterable<T>,
  addressOf: (one: T) => string,
  turns: ReadingTurns = PROCESS_TURNS,
): Promise<ReadonlySet<string>> => {
  const known = new Set<string>();
  const addresses = await flatMapInTurns(
    seen,
    (one) => {
      const address = addressOf(one);
      if (known.has(address)) return [];
      known.add(address);
      return [address];
    },
    turns,
  );
  const ours = new Set<string>();
  for (let at = 0; at < addresses.length; at += ASKED_AT_ONCE) {
    for (const address of await areOurs(addresses.slice(at, at + ASKED_AT_ONCE))) ours.add(address);
  }
  return ours;
};
