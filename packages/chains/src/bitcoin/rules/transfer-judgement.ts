import { fail, type JudgedTransfer, type Network, ok, type Result } from "@conclave/custody";
import { type BodyOf, judged, transferJudgement } from "../../rules/transfers.ts";
import type { BitcoinTransfer } from "./act.ts";
import { bitcoinScript, parseBitcoinAddress } from "./address.ts";
import { BITCOIN_AMOUNT_MAX, bitcoinParameters } from "./parameters.ts";
import { bitcoinDustLimit } from "./script.ts";

/**
 * Judges an amount in satoshis.
 * @param least the smallest output to this recipient that nodes relay
 * @returns the same digits; AmountInvalid, which names the smallest and the largest amount
 */
const judgeAmount = (text: string, least: bigint): Result<string> => {
  const details = {
    field: "amount",
    unit: "satoshi",
    smallest: least.toString(),
    largest: BITCOIN_AMOUNT_MAX.toString(),
  };
  if (!/^[1-9][0-9]*$/.test(text)) {
    const exact = 'The amount is not a whole number of satoshis, such as "100000" for 0.001 bitcoin.';
    return fail("AmountInvalid", details, exact);
  }
  // the length is checked before the digits become a number
  const isLong = text.length > BITCOIN_AMOUNT_MAX.toString().length;
  const amount = isLong ? undefined : BigInt(text);
  if (amount === undefined || amount > BITCOIN_AMOUNT_MAX) {
    const exact = `The amount is more than ${BITCOIN_AMOUNT_MAX} satoshis, which is all the bitcoin that there will be.`;
    return fail("AmountInvalid", details, exact);
  }
  return amount < least
    ? fail(
        "AmountInvalid",
        details,
        `The amount is dust: nodes relay no output of less than ${least} satoshis to such an address. Send ${least} satoshis or more.`,
      )
    : ok(text);
};

const judgeNative = (body: BodyOf<"Native">, sender: string, network: Network): Result<JudgedTransfer> => {
  const to = parseBitcoinAddress(network, body.to, "to");
  if (!to.ok) return to;
  const script = bitcoinScript(network, to.value);
  if (script === undefined) return fail("AddressInvalid", { field: "to", network });
  const amount = judgeAmount(body.amount, bitcoinDustLimit(script));
  if (!amount.ok) return amount;
  const from = parseBitcoinAddress(network, sender, "from");
  if (!from.ok) return from;
  const parties = { from: from.value, to: to.value };
  return judged<BitcoinTransfer>(
    { kind: body.kind, ...parties, amount: amount.value },
    bitcoinParameters(network).asset,
  );
};

/** Refusals: AddressInvalid, AddressChecksum, AmountInvalid or TransferKindNotSupported. */
export const BITCOIN_TRANSFERS = transferJudgement({ Native: judgeNative });
