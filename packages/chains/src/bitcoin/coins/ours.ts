import { ok, type Result } from "@conclave/custody";
import { equalBytes } from "@noble/curves/utils.js";
import type { TransactionIntent } from "../../chain.ts";
import { decodePsbt, type Psbt } from "../wire/psbt.ts";
import { coinName, sumOfCoins } from "./coin.ts";

/** The transactions of ours that bear upon what is built. */
export interface OurTransactions {
  /** the coins that other live transactions of the wallet spend, by name */
  readonly taken: ReadonlySet<string>;
  /** satoshis that they bring back to the wallet once they have landed */
  readonly awaited: bigint;
  /** what was built before in this place: its coins stay in, so that at most one of the two lands */
  readonly earlier: Psbt | undefined;
}

/**
 * @param own the wallet's script
 * @returns TransactionUnreadable for bytes that we did not write
 */
export const ourTransactions = (
  { alive = [], sequencing }: Pick<TransactionIntent, "alive" | "sequencing">,
  own: Uint8Array,
): Result<OurTransactions> => {
  const taken = new Set<string>();
  let awaited = 0n;
  for (const bytes of alive) {
    const psbt = decodePsbt(bytes);
    if (!psbt.ok) return psbt;
    for (const { outpoint } of psbt.value.inputs) taken.add(coinName(outpoint));
    awaited += sumOfCoins(psbt.value.outputs.filter(({ script }) => equalBytes(script, own)));
  }
  if (sequencing.kind === "next") return ok({ taken, awaited, earlier: undefined });
  if (sequencing.earlier === undefined) throw new TypeError("a transaction that was built before has bytes");
  const earlier = decodePsbt(sequencing.earlier);
  return earlier.ok ? ok({ taken, awaited, earlier: earlier.value }) : earlier;
};
