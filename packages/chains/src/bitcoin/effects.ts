import {
  type Effects,
  type FamilyContent,
  moves,
  NATIVE_ASSET,
  networkSchema,
  opaque,
} from "@conclave/custody";
import { equalBytes } from "@noble/curves/utils.js";
import { feeCapWith } from "./coins/fees.ts";
import type { ReadableBitcoin } from "./network.ts";
import { givenPsbt } from "./parse-content.ts";
import { type BitcoinTransaction, bitcoinTransactionSchema, bitcoinTransferSchema } from "./rules/act.ts";
import { bitcoinAddressPaid } from "./rules/script.ts";
import { decodePsbt, feeOfPsbt, type Psbt } from "./wire/psbt.ts";

const pays = ({ to: recipient, amount }: { readonly to: string; readonly amount: string }): Effects =>
  moves({ asset: NATIVE_ASSET, amount, recipient });

/**
 * The effects of a request, for policies to judge. A PSBT fixes its fee. Speed-ups, cancellations and gatherings may cost up to
 * the network's cap, or up to the request's own limit: that amount counts.
 * @param network undefined when the network is unknown; the receivers are unknown then
 */
export const effectsOfBitcoin = (network: ReadableBitcoin | undefined, content: FamilyContent): Effects => {
  const transfer = bitcoinTransferSchema.safeParse(content);
  if (transfer.success) return pays(transfer.data);
  const transaction = bitcoinTransactionSchema.safeParse(content);
  if (transaction.success && transaction.data.kind !== "Exact") {
    return network === undefined
      ? opaque("nothing bounds the fees on this network")
      : { ...effectsOfBuilt(transaction.data), fee: mostFeeOf(network, transaction.data) };
  }
  const given = givenPsbt(content);
  if (given === undefined || network === undefined) return opaque("the request cannot be read");
  const psbt = decodePsbt(given);
  return psbt.ok
    ? { ...effectsOfPsbt(network, psbt.value), fee: feeOfPsbt(psbt.value).toString() }
    : opaque(psbt.problem.message);
};

const mostFeeOf = ({ feeCap }: ReadableBitcoin, transaction: BitcoinTransaction): string => {
  const maxFee = "maxFee" in transaction ? transaction.maxFee : undefined;
  return feeCapWith(feeCap, maxFee === undefined ? undefined : BigInt(maxFee));
};

const effectsOfBuilt = (transaction: Exclude<BitcoinTransaction, { kind: "Exact" }>): Effects =>
  transaction.kind === "SpeedUp" ? pays(transaction) : moves();

/** The effects of a PSBT: all outputs except those to the script of its coins. */
export const effectsOfPsbt = ({ network }: Pick<ReadableBitcoin, "network">, psbt: Psbt): Effects => {
  const own = psbt.inputs[0]?.coin.script;
  const movements = [];
  for (const { amount, script } of psbt.outputs) {
    if (own !== undefined && equalBytes(own, script)) continue;
    const recipient = bitcoinAddressPaid(networkSchema.parse(network), script);
    if (recipient === undefined) return opaque("an output pays to a script that has no address");
    movements.push({ asset: NATIVE_ASSET, amount: amount.toString(), recipient });
  }
  return moves(...movements);
};
