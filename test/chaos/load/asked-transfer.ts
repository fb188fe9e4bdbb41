import { type Chance, drawn, seededChance } from "./chance.ts";
import { leastPayment, receiverOf } from "./receivers.ts";

/** The fate of a transfer before it is signed: nobody is asked, or the load's approver says yes or no. */
export type Verdict = "free" | "approved" | "denied";

/** The transfers of the load, before it knows any wallet's id. */
export interface AskedTransfer {
  /** from 1, in the order of asking */
  readonly number: number;
  /** milliseconds after the load's begin */
  readonly atMs: number;
  readonly network: string;
  /** which of the network's wallets pays: the last one is behind a policy */
  readonly payer: number;
  readonly to: string;
  readonly amount: bigint;
  readonly verdict: Verdict;
}

/** How much is asked for, and of whom. */
export interface AskedLoad {
  readonly seed: number;
  readonly perSecond: number;
  readonly lastsMs: number;
  readonly networks: readonly string[];
  /** of each network */
  readonly wallets: number;
}

/** Of all transfers, those of wallets behind a policy; of these, those that are denied; and those to a receiver of before. */
const GUARDED = 0.25;
const DENIED = 0.3;
const REPEATED = 0.2;
const MS_IN_SECOND = 1_000;

const verdictOf = (chance: Chance): Verdict => {
  if (chance() >= GUARDED) return "free";
  return chance() < DENIED ? "denied" : "approved";
};

/**
 * All that the load will ask for, in order. It follows from the options alone: equal seeds ask for the same.
 * Amounts differ, so that what landed can be told apart.
 */
export const askedTransfers = ({
  seed,
  perSecond,
  lastsMs,
  networks,
  wallets,
}: AskedLoad): readonly AskedTransfer[] => {
  const chance = seededChance(seed);
  const receivers = new Map<string, string[]>(networks.map((network) => [network, []]));
  const count = Math.floor((perSecond * lastsMs) / MS_IN_SECOND);
  return Array.from({ length: count }, (_, at): AskedTransfer => {
    const number = at + 1;
    const network = drawn(chance, networks);
    const verdict = verdictOf(chance);
    const known = receivers.get(network) ?? [];
    const isRepeated = chance() < REPEATED && known.length > 0;
    const to = isRepeated ? drawn(chance, known) : receiverOf(network, seed, number);
    if (!isRepeated) known.push(to);
    return {
      number,
      atMs: Math.round((at * MS_IN_SECOND) / perSecond),
      network,
      payer: verdict === "free" ? number % (wallets - 1) : wallets - 1,
      to,
      amount: leastPayment(network) + BigInt(number),
      verdict,
    };
  });
};
