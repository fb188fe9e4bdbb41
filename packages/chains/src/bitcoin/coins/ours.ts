import { ok, type Result } from "@conclave/custody";
import { equalBytes } from "@noble/curves/utils.js";
import type { TransactionIntent } from "../../chain.ts";
import { decodePsbt, type Psbt } from "../wire/psbt.ts";
import { coinName, sumOfCoins } from "./coin.ts";

/** The service's own transactions that affect the one being built. */
export interface OurTransactions {
  /** the coins that other live transactions of the wallet spend, by name */
  readonly taken: ReadonlySet<string>;
  /** satoshis that those transactions return to the wallet once they land */
  readonly awaited: bigint;
  /** indices in `alive` of transactions that return something to the wallet, the largest amount first */
  readonly awaits: readonly number[];
  /** the previous transaction of this request: its coins stay in, so that at most one of the two lands */
  readonly earlier: Psbt | undefined;
}

/**
 * @param own the wallet's script
 * @returns TransactionUnreadable for bytes that the service did not write
 */
export const ourTransactions = (
  { alive = [], sequencing }: Pick<TransactionIntent, "alive" | "sequencing">,
  own: Uint8Array,
): Result<OurTransactions> => {
  const taken = new Set<string>();
  const back: { readonly at: number; readonly amount: bigint }[] = [];
  for (const [at, bytes] of alive.entries()) {
    const psbt = decodePsbt(bytes);
    if (!psbt.ok) return psbt;
    for (const { outpoint } of psbt.value.inputs) taken.add(coinName(outpoint));
    const amount = sumOfCoins(psbt.value.outputs.filter(({ script }) => equalBytes(script, own)));
    if (amount > 0n) back.push({ at, amount });
  }
  const awaited = sumOfCoins(back);
  const awaits = back.toSorted((one, other) => Number(other.amount - one.amount)).map(({ at }) => at);
  if (sequencing.kind === "next") return ok({ taken, awaited, awaits, earlier: undefined });
  if (sequencing.earlier === undefined) throw new TypeError("a transaction that was built before has bytes");
  const earlier = decodePsbt(sequencing.earlier);
  return earlier.ok ? ok({ taken, awaited, awaits, earlier: earlier.value }) : earlier;
};
