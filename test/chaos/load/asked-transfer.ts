import { type Chance, drawn, seededChance } from "./chance.ts";
import { leastPayment, receiverOf } from "./receivers.ts";

/** Whether a transfer needs an approval, and how the load's approver then votes. */
export type Verdict = "free" | "approved" | "denied";

/** A transfer of the load, before any wallet's id is known. */
export interface AskedTransfer {
  /** from 1, in the order of the requests */
  readonly number: number;
  /** milliseconds after the load's beginning */
  readonly atMs: number;
  readonly network: string;
  /** index of the paying wallet of the network; the last one is guarded by a policy */
  readonly payer: number;
  readonly to: string;
  readonly amount: bigint;
  readonly verdict: Verdict;
}

/** The size and kind of a load. */
export interface AskedLoad {
  readonly seed: number;
  readonly perSecond: number;
  readonly lastsMs: number;
  readonly networks: readonly string[];
  /** number of wallets per network */
  readonly wallets: number;
}

/** Shares: of all transfers, those from guarded wallets; of these, those to be denied; and those to an earlier receiver. */
const GUARDED = 0.25;
const DENIED = 0.3;
const REPEATED = 0.2;
const MS_IN_SECOND = 1_000;

const verdictOf = (chance: Chance): Verdict => {
  if (chance() >= GUARDED) return "free";
  return chance() < DENIED ? "denied" : "approved";
};

/**
 * All transfers of the load, in order. They depend only on the options: equal seeds give the same. Amounts differ, so that
 * landed transfers can be told apart.
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
