import {
  fail,
  lowerHex,
  type Network,
  ok,
  type Result,
  type SignatureBody,
  type TransactionBody,
} from "@conclave/custody";
import { hexToBytes } from "@noble/hashes/utils.js";
import { needsNetwork } from "../../rules/exact-judgement.ts";
import type { BitcoinContent, BitcoinTransaction } from "./act.ts";
import { bitcoinAddress, parseBitcoinAddress } from "./address.ts";

const TEMPLATES = ["Psbt", "Consolidate"] as const;

/**
 * Judges a request to broadcast. The family's decoder judges the PSBT's content; this function does not read it.
 * @returns the transaction, ready to be authorised; TransactionKindNotSupported for every other template
 */
export const judgeBitcoinTransaction = (
  network: Network,
  body: TransactionBody,
  sender: string,
): Result<BitcoinTransaction> => {
  if (body.kind !== "Psbt" && body.kind !== "Consolidate") {
    return fail("TransactionKindNotSupported", { field: "kind", network, kinds: TEMPLATES });
  }
  const from = parseBitcoinAddress(network, sender, "from");
  if (!from.ok) return from;
  if (body.kind === "Psbt") return ok({ kind: "Exact", from: from.value, unsigned: lowerHex(body.psbt) });
  const { kind, maxFee, maxFeeRate } = body;
  return ok({
    kind,
    from: from.value,
    ...(maxFee === undefined ? {} : { maxFee }),
    ...(maxFeeRate === undefined ? {} : { maxFeeRate }),
  });
};

/**
 * @param publicKey of the signing key, hex: all coins of the PSBT must be paid to its own address
 * @returns SignatureKindNotSupported for anything but a PSBT, InvalidBody when it names no network
 */
export const judgeBitcoinContent = (
  network: Network | undefined,
  body: SignatureBody,
  publicKey: string | undefined,
): Result<BitcoinContent> => {
  if (body.kind !== "Psbt") {
    return fail("SignatureKindNotSupported", { field: "kind", kinds: ["Hash", "Psbt"] });
  }
  if (network === undefined) return needsNetwork();
  if (publicKey === undefined) throw new TypeError("a key that signs a PSBT is known");
  const from = bitcoinAddress(network, hexToBytes(publicKey));
  return ok({ kind: "psbt", network, from, psbt: lowerHex(body.psbt) });
};
