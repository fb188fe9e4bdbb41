import type { AreOurs, Arrival } from "../../chain.ts";
import { flatMapInTurns, PROCESS_TURNS, type ReadingTurns } from "./in-turns.ts";

/** Most addresses in one question; a block of Solana has some hundred thousand. */
const ASKED_AT_ONCE = 10_000;

/**
 * Finds out which addresses are ours, asking about each address once, and not at all if there is none.
 *
 * @param addressOf the address of an arrival's recipient, or payer; undefined where the chain names none
 */
export const oursAmong = async <T>(
  areOurs: AreOurs,
  seen: Iterable<T>,
  addressOf: (one: T) => string | undefined,
  turns: ReadingTurns = PROCESS_TURNS,
): Promise<ReadonlySet<string>> => {
  const known = new Set<string>();
  const addresses = await flatMapInTurns(
    seen,
    (one) => {
      const address = addressOf(one);
      if (address === undefined || known.has(address)) return [];
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

/** The questions about the two ends of a movement. */
export interface OursAtEnds {
  readonly areOurs: AreOurs;
  /** undefined where no payer is of concern */
  readonly arePayers: AreOurs | undefined;
}

/**
 * Tells movements that concern us: those that came to an address of ours, and those that a payer of ours paid.
 *
 * @param endsOf the recipient of a movement, and its payer, where the chain names one
 */
export const concerning = async <T>(
  { areOurs, arePayers }: OursAtEnds,
  seen: readonly T[],
  endsOf: (one: T) => { readonly to: string; readonly from: string | undefined },
): Promise<(one: T) => boolean> => {
  const ours = await oursAmong(areOurs, seen, (one) => endsOf(one).to);
  if (arePayers === undefined) return (one) => ours.has(endsOf(one).to);
  const payers = await oursAmong(arePayers, seen, (one) => endsOf(one).from);
  return (one) => {
    const { to, from } = endsOf(one);
    return ours.has(to) || (from !== undefined && payers.has(from));
  };
};

/** The two ends of an arrival. */
export const arrivalEnds = ({
  moved: { to },
  from,
}: Pick<Arrival, "moved" | "from">): { readonly to: string; readonly from: string | undefined } => ({
  to,
  from,
});
