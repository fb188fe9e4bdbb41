import { ok, type Result } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import type { Fate, OwnTransaction, SignedTransaction } from "../../chain.ts";
import type { XrplNetwork } from "../network.ts";
import { decodeXrpl, signedXrpl, xrplId } from "../transaction.ts";
import { validatedAccount } from "./account.ts";
import { hash256, uint32Field } from "./fields.ts";
import { demandOfRippled, type Rippled } from "./json-rpc.ts";
import { xrplChainNow } from "./look-around.ts";

const OPEN: Fate = { kind: "open" };
/** Size and number of pages of an account's transactions: the wanted one may be below some thousands of incoming ones. */
const PAGE = 200;
const PAGES_MAX = 20;
/** In hex; the longest DER signature has 72 bytes. */
const SIGNATURE_DIGITS_MAX = 144;

const pageSchema = z.object({
  transactions: z.array(
    z.object({
      hash: hash256,
      validated: z.boolean(),
      tx_json: z.object({
        Account: z.string(),
        Sequence: uint32Field,
        TxnSignature: z
          .string()
          .max(SIGNATURE_DIGITS_MAX)
          .regex(/^([0-9A-F]{2})*$/)
          .optional(),
      }),
    }),
  ),
  marker: z.unknown().optional(),
});
type Landed = z.infer<typeof pageSchema>["transactions"][number];

interface Known {
  readonly unsigned: Uint8Array;
  readonly sequence: number;
  readonly lastLedger: number;
}

/**
 * Whether transactions of one account can no longer land (INV-4).
 *
 * A transaction that lands, successful or not, moves its account's Sequence past its own. So the whole proof is a
 * validated ledger after the last one in which it could land, in which the account's Sequence is not past it. This is
 * one answer about one ledger of one node, and needs no history, which nodes forget and which may have gaps.
 *
 * If the Sequence is past it, some transaction has used it. The account's own transactions show which one: it must be
 * found, and a node that does not have it gives no verdict. It is ours if its signature in our bytes gives its id: an
 * id depends on the signature, and signers may have signed the same bytes more than once.
 *
 * @returns ServiceUnavailable when there is no verdict
 */
export const xrplFate = async (
  { networkId }: Pick<XrplNetwork, "networkId">,
  rippled: Rippled,
  sender: string,
  transactions: readonly OwnTransaction[],
): Promise<Result<Fate>> => {
  if (transactions.length === 0) throw new TypeError("there is no transaction whose fate is asked for");
  const known: Known[] = [];
  for (const { unsigned } of transactions) {
    const decoded = decodeXrpl(unsigned);
    if (!decoded.ok) return decoded;
    known.push({ ...decoded.value, unsigned });
  }
  const [now, account] = await Promise.all([xrplChainNow(rippled), validatedAccount(rippled, sender)]);
  if (!now.ok) return now;
  if (!account.ok) return account;
  // another chain's ledgers prove nothing: they cannot contain these transactions
  if (now.value.networkId !== networkId) return nodeAway(rippled.network, "it is of another chain");
  if (account.value === undefined) {
    return nodeAway(rippled.network, "it has no account of the wallet, so it gives no verdict");
  }
  const { ledger, sequence } = account.value;
  const reasons: string[] = [];
  for (const each of known) {
    if (sequence <= each.sequence) {
      if (ledger <= each.lastLedger) return ok(OPEN);
      reasons.push(`its last ledger ${each.lastLedger} is over`);
      continue;
    }
    const taker = await takerOf(rippled, sender, ledger, each.sequence);
    if (!taker.ok) return taker;
    if (isOurs(each, taker.value)) return ok(OPEN);
    reasons.push(`the transaction ${taker.value.hash} took its Sequence ${each.sequence}`);
  }
  return ok({ kind: "dead", reason: `${reasons.join("; ")}; this one can never land` });
};

/**
 * Looks for the same unsigned bytes in the validated ledgers, under another signature.
 *
 * @returns the landed transaction; undefined if its Sequence is free, or another transaction used it;
 * ServiceUnavailable if the node does not show which one
 */
export const xrplTwin = async (
  rippled: Rippled,
  sender: string,
  { unsigned, signed }: OwnTransaction,
): Promise<Result<SignedTransaction | undefined>> => {
  const decoded = decodeXrpl(unsigned);
  if (!decoded.ok) return decoded;
  const account = await validatedAccount(rippled, sender);
  if (!account.ok) return account;
  if (account.value === undefined || account.value.sequence <= decoded.value.sequence) return ok(undefined);
  const taker = await takerOf(rippled, sender, account.value.ledger, decoded.value.sequence);
  if (!taker.ok) return taker;
  const landed = taker.value.hash === xrplId(signed) ? undefined : withSignatureOf(unsigned, taker.value);
  return ok(landed && { signed: landed, txHash: taker.value.hash });
};

const isOurs = ({ unsigned }: Known, landed: Landed): boolean =>
  withSignatureOf(unsigned, landed) !== undefined;

/**
 * Our bytes with the signature that the chain shows, if the result has the chain's id, which proves that they are the
 * same transaction.
 */
const withSignatureOf = (
  unsigned: Uint8Array,
  { hash, tx_json: { TxnSignature } }: Landed,
): Uint8Array | undefined => {
  if (TxnSignature === undefined) return undefined;
  const signed = signedXrpl(unsigned, hexToBytes(TxnSignature));
  return xrplId(signed) === hash ? signed : undefined;
};

/** The validated transaction of an account that used a Sequence; searches the newest first. */
const takerOf = async (
  rippled: Rippled,
  sender: string,
  ledger: number,
  sequence: number,
): Promise<Result<Landed>> => {
  let marker: unknown;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const params = { account: sender, ledger_index_min: -1, ledger_index_max: ledger, limit: PAGE };
    const found = await demandOfRippled(rippled, {
      method: "account_tx",
      params: marker === undefined ? params : { ...params, marker },
      schema: pageSchema,
    });
    if (!found.ok) return found;
    const taker = found.value.transactions.find(
      ({ validated, tx_json: sent }) => validated && sent.Account === sender && sent.Sequence === sequence,
    );
    if (taker !== undefined) return ok(taker);
    marker = found.value.marker;
    if (marker === undefined) break;
  }
  return nodeAway(
    rippled.network,
    `it does not show which transaction has the Sequence ${sequence}, so it gives no verdict`,
  );
};
