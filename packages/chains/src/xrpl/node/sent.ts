import { ok, type Result } from "@conclave/custody";
import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import type { SentSearch, SentTransaction } from "../../chain.ts";
import { firstSent, isSettledBelow, mayHold, waitsUnseen } from "../../first-sent.ts";
import { isXrplEd25519, xrplAddress } from "../rules/address.ts";
import { encodeXrpl, signedXrpl, type XrplDraft, xrplId, xrplSignable } from "../transaction.ts";
import { currentAccount, validatedAccount } from "./account.ts";
import { drops, hash256, rippleTime, uint32Field } from "./fields.ts";
import { demandOfRippled, type Rippled } from "./json-rpc.ts";
import { xrplLedger } from "./ledgers.ts";

/** Size and number of pages of an account's transactions. */
const PAGE = 200;
const PAGES_MAX = 20;
const MS_IN_SECOND = 1_000;

const pageSchema = z.object({
  transactions: z.array(
    z.object({
      hash: hash256,
      validated: z.boolean(),
      tx_json: z.looseObject({ Account: z.string(), Sequence: uint32Field, date: rippleTime }),
    }),
  ),
  /** the first of the ledgers that the node has without a gap */
  ledger_index_min: uint32Field.optional(),
  marker: z.unknown().optional(),
});
type Landed = z.infer<typeof pageSchema>["transactions"][number];

const hexBytes = z
  .string()
  .regex(/^([0-9A-F]{2}){1,72}$/)
  .transform((hex) => hexToBytes(hex));

/** A direct payment of XRP, the only kind of transaction that we sign. */
const paymentSchema = z.object({
  TransactionType: z.literal("Payment"),
  NetworkID: uint32Field.optional(),
  Flags: uint32Field.optional(),
  SourceTag: uint32Field.optional(),
  Sequence: uint32Field,
  DestinationTag: uint32Field.optional(),
  LastLedgerSequence: uint32Field,
  DeliverMax: drops,
  Fee: drops,
  SigningPubKey: hexBytes,
  TxnSignature: hexBytes,
  Account: z.string(),
  Destination: z.string(),
});

/**
 * Looks for a transaction among those that an account has sent, in validated ledgers, the newest page first.
 * Transactions that wait in the open ledger or in the queue are not found, because nodes show them without signature.
 */
export const findSentXrpl = async (
  rippled: Rippled,
  sender: string,
  search: SentSearch,
): Promise<Result<SentTransaction | undefined>> => {
  const { places, sinceMs } = search;
  if (places === undefined) throw new TypeError("an account of the XRP Ledger counts its transactions");
  const [current, validated] = await Promise.all([
    currentAccount(rippled, sender),
    validatedAccount(rippled, sender),
  ]);
  if (!current.ok) return current;
  if (!validated.ok) return validated;
  if (current.value === undefined || validated.value === undefined) return ok(undefined);
  const { sequence, ledger } = validated.value;
  const isSettled = isSettledBelow(places, BigInt(sequence));
  const landed = isSettled ? ok([]) : await landedSince(rippled, { sender, ledger, sinceMs });
  if (!landed.ok) return landed;
  const held = landed.value.filter(({ tx_json: { Sequence } }) => mayHold(places, BigInt(Sequence)));
  const sent: SentTransaction[] = [];
  for (const each of held.toReversed()) {
    const rebuilt = rebuiltXrpl(each, sender);
    if (rebuilt === "false")
      return nodeAway(rippled.network, `the transaction ${each.hash} is not what it shows`);
    if (rebuilt !== undefined) sent.push(rebuilt);
  }
  const found = await firstSent(sent, search);
  if (found === undefined && waitsUnseen(places, BigInt(sequence), current.value.next)) {
    return nodeAway(rippled.network, "a transaction of the account is in no validated ledger yet");
  }
  return ok(found);
};

/** Lists the account's transactions in ledgers since a time, the newest first. */
const landedSince = async (
  rippled: Rippled,
  { sender, ledger, sinceMs }: { readonly sender: string; readonly ledger: number; readonly sinceMs: number },
): Promise<Result<readonly Landed[]>> => {
  const own: Landed[] = [];
  let marker: unknown;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const params = { account: sender, ledger_index_min: -1, ledger_index_max: ledger, limit: PAGE };
    const found = await demandOfRippled(rippled, {
      method: "account_tx",
      params: marker === undefined ? params : { ...params, marker },
      schema: pageSchema,
    });
    if (!found.ok) return found;
    const { transactions, ledger_index_min: first } = found.value;
    for (const each of transactions) {
      const { date, Account } = each.tx_json;
      if (date !== undefined && Number(date) * MS_IN_SECOND < sinceMs) return ok(own);
      if (each.validated && Account === sender) own.push(each);
    }
    marker = found.value.marker;
    if (marker === undefined) {
      const isWhole = await reachesBack(rippled, first, sinceMs);
      return isWhole.ok ? ok(own) : isWhole;
    }
  }
  return nodeAway(rippled.network, "the account has more transactions than are looked at");
};

/** Checks that the node still has the ledgers since then; otherwise its list is incomplete. */
const reachesBack = async (
  rippled: Rippled,
  first: number | undefined,
  sinceMs: number,
): Promise<Result<void>> => {
  const ledger = first === undefined ? ok(undefined) : await xrplLedger(rippled, BigInt(first), new Set());
  if (!ledger.ok) return ledger;
  const date = ledger.value?.date;
  // nothing is before the first ledger
  const isWhole = first === 1 || (date !== undefined && Date.parse(date) <= sinceMs);
  return isWhole
    ? ok(undefined)
    : nodeAway(rippled.network, "it has forgotten ledgers in which the account may have sent something");
};

/** @returns undefined if it is nothing that we sign; "false" if it does not give its id, or is not signed by the account */
const rebuiltXrpl = ({ hash, tx_json }: Landed, sender: string): SentTransaction | "false" | undefined => {
  const payment = paymentSchema.safeParse(tx_json);
  if (!payment.success || xrplAddress(payment.data.SigningPubKey) !== sender) return undefined;
  const { TxnSignature, ...fields } = payment.data;
  const draft: XrplDraft = {
    networkId: fields.NetworkID,
    flags: fields.Flags,
    sourceTag: fields.SourceTag,
    sequence: fields.Sequence,
    destinationTag: fields.DestinationTag,
    lastLedger: fields.LastLedgerSequence,
    amount: fields.DeliverMax,
    fee: fields.Fee,
    signingPubKey: fields.SigningPubKey,
    from: fields.Account,
    to: fields.Destination,
  };
  const unsigned = encodeXrpl(draft);
  const signed = signedXrpl(unsigned, TxnSignature);
  // a payment with further fields, such as memos, has another id; we never sign one
  if (xrplId(signed) !== hash) return undefined;
  return isSigned(unsigned, draft, TxnSignature) ? { unsigned, signed, txHash: hash } : "false";
};

const isSigned = (unsigned: Uint8Array, draft: XrplDraft, signature: Uint8Array): boolean => {
  const { signingPubKey: key } = draft;
  const { bytes } = xrplSignable(unsigned, draft);
  try {
    return isXrplEd25519(key)
      ? ed25519.verify(signature, bytes, key.slice(1), { zip215: false })
      : secp256k1.verify(signature, bytes, key, { prehash: false, format: "der" });
  } catch {
    return false;
  }
};
