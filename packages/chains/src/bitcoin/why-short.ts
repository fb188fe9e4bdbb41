import { fail, type Result } from "@conclave/custody";
import {
  type Bound,
  type Choosing,
  gatherCoins,
  mostAlone,
  type Payment,
  worthSpending,
} from "./coins/choose.ts";
import { coinName, sumOfCoins } from "./coins/coin.ts";
import { BUILT_BYTES_MAX } from "./coins/limits.ts";
import type { OurTransactions } from "./coins/ours.ts";
import type { BitcoinNetwork } from "./network.ts";
import type { BitcoinSituation } from "./situation.ts";

const CAUSES: Readonly<Record<Bound, (inputs: number) => string>> = {
  inputs: (inputs) =>
    `the wallet's coins are too small: the ${inputs} largest, which are as many as one transaction spends`,
  bytes: (inputs) =>
    `the transactions that made the wallet's coins are too large: signers must see each of them, together at most ${BUILT_BYTES_MAX} bytes, ` +
    `and the ${inputs} coins that fit`,
};

/**
 * The advice when the coins that fit into one transaction are too few: gather coins, or, if previous transactions are too large
 * for any two coins, first move one coin into a smaller transaction.
 * @param feeCap satoshis, of a gathering
 */
const stepAfter = (payment: Payment, feeCap: bigint): string => {
  const gathering = gatherCoins({ ...payment, paid: undefined, pinned: [] }, feeCap);
  return gathering.kind === "gathered" || gathering.bound !== "bytes"
    ? "gather coins with a transaction of kind Consolidate, and send this again once it is confirmed"
    : stepToSelf(payment);
};

/** The advice for a wallet of which no two coins fit into one transaction. */
const stepToSelf = (payment: Payment): string => {
  const most = mostAlone(payment);
  return most === undefined
    ? "fewer than two can be spent even by themselves: have the wallet paid by smaller transactions"
    : `send ${most} satoshis to the wallet's own address, which spends one coin by itself, and send this again once that is confirmed`;
};

/** The refusal to gather coins whose previous transactions are too large for any two of them. */
export const whyNoTwoFit = (payment: Payment): Result<never> =>
  fail(
    "InsufficientFunds",
    {},
    `there is nothing to gather: the transactions that made the wallet's coins are too large: signers must see each of them, together at most ` +
      `${BUILT_BYTES_MAX} bytes, and no two coins fit; ${stepToSelf(payment)}`,
  );

/**
 * Why a payment cannot be made now: the wallet holds too little, waits for coins, or would need more coins than one transaction
 * spends.
 * @returns InsufficientFunds, or ServiceUnavailable if waiting helps
 */
export const whyShort = (
  { network, feeCap }: Pick<BitcoinNetwork, "network" | "feeCap">,
  { unspent, inPool }: BitcoinSituation,
  payment: Payment,
  { awaited, awaits, taken }: OurTransactions,
  { held, needed, inputs, bound }: Extract<Choosing, { kind: "short" }>,
): Result<never> => {
  const { pinned } = payment;
  const pinnedNames = new Set(pinned.map(({ outpoint }) => coinName(outpoint)));
  const free = worthSpending(payment, unspent).filter(({ outpoint }) => {
    const name = coinName(outpoint);
    return !taken.has(name) && !pinnedNames.has(name);
  });
  const all = sumOfCoins([...free, ...pinned]);
  const details = { needed: needed.toString(), held: all.toString() };
  // with a bound, awaited change would replace some of the coins that fit, so only `held` counts beside it
  const later = (bound === undefined ? all : held) + awaited;
  if (held < needed && later >= needed && awaited > 0n) {
    return waiting(
      { network, awaits },
      "waiting for the change of earlier transactions of the wallet to come into a block",
    );
  }
  if (inPool > 0n && held + inPool >= needed) {
    return waiting(
      { network },
      "waiting for transactions that spend coins of the wallet to come into a block",
    );
  }
  if (bound !== undefined && all + awaited >= needed) {
    return fail(
      "InsufficientFunds",
      details,
      `${CAUSES[bound](inputs)}, hold ${held} satoshis together, and ${needed} are needed; ${stepAfter(payment, BigInt(feeCap))}`,
    );
  }
  return fail(
    "InsufficientFunds",
    details,
    `insufficient funds: ${needed} satoshis (amount and fee) are needed, the wallet can spend ${all}; send it more, or ask for less`,
  );
};

/** @param awaits indices in `alive` of the transactions whose change the payment waits for */
const waiting = (
  details: { readonly network: string; readonly awaits?: readonly number[] },
  why: string,
): Result<never> => fail("ServiceUnavailable", { ...details }, why);
