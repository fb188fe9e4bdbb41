import { ok, type Result } from "@conclave/custody";
import { equalBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { messageOf } from "../message/message.ts";
import type { SolanaCommitment } from "./blocks.ts";
import { base64Field, signatureField, uint64Field, VERSION_MAX } from "./fields.ts";
import { demandSolana, type SolanaRpc, solanaAway } from "./json-rpc.ts";

/** Size and number of pages of an account's transactions: thousands may arrive within minutes. */
const PAGE = 1_000;
const PAGES_MAX = 20;
/** Transactions that are requested at once. */
const AT_ONCE = 8;

const listedSchema = z.array(z.object({ signature: signatureField, slot: uint64Field }));
const transactionSchema = z.object({ slot: uint64Field, transaction: base64Field });

/** The criteria of a search among an account's transactions. */
export interface LandingSearch {
  readonly owner: string;
  /** from this slot on, up to `until`; undefined means up to the head of the chain */
  readonly since: bigint;
  readonly until?: bigint;
  readonly commitment: SolanaCommitment;
  /** a slot that the node must have reached with this commitment, so that its list is complete up to there */
  readonly reached: bigint;
}

/** All transactions of an account in a range of slots, failed ones included, the newest first. */
const listBetween = async (
  rpc: SolanaRpc,
  { owner, since, until, commitment, reached }: LandingSearch,
): Promise<Result<readonly string[]>> => {
  const ids: string[] = [];
  let before: string | undefined;
  let needed = reached;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const config = { commitment, limit: PAGE, minContextSlot: Number(needed), ...(before && { before }) };
    const listed = await demandSolana(rpc, {
      method: "getSignaturesForAddress",
      params: [owner, config],
      schema: listedSchema,
    });
    if (!listed.ok) return listed;
    const some = listed.value.filter(({ slot }) => slot >= since && (until === undefined || slot <= until));
    ids.push(...some.map(({ signature }) => signature));
    const last = listed.value.at(-1);
    // a short page need not be the last, because nodes may return less than requested; only an empty page, or an older
    // entry, is
    if (last === undefined || last.slot < since) return ok(ids);
    before = last.signature;
    // a node that does not know this transaction would report an end: the next page needs a node that has reached its
    // slot
    if (last.slot > needed) needed = last.slot;
  }
  return solanaAway(rpc.network, "the wallet has too many transactions of that time, so it gives no verdict");
};

/**
 * Looks for a landed message: reads all transactions of the account in a range of slots and compares the bytes, because
 * the id changes with each signature.
 *
 * @param message of a transaction that the account signs
 * @returns the id under which it landed
 */
export const findLanding = async (
  rpc: SolanaRpc,
  search: LandingSearch,
  message: Uint8Array,
): Promise<Result<string | undefined>> => {
  const listed = await listBetween(rpc, search);
  if (!listed.ok) return listed;
  for (let from = 0; from < listed.value.length; from += AT_ONCE) {
    const ids = listed.value.slice(from, from + AT_ONCE);
    const read = await Promise.all(ids.map((id) => landedTransactionOf(rpc, id, search.commitment)));
    for (const [at, transaction] of read.entries()) {
      if (!transaction.ok) return transaction;
      const isOfOneSigner = transaction.value[0] === 1;
      if (isOfOneSigner && equalBytes(messageOf(transaction.value), message)) return ok(ids[at]);
    }
  }
  return ok(undefined);
};

/** Reads a listed transaction; if the node does not show it, nothing is proved. */
export const landedTransactionOf = async (
  rpc: SolanaRpc,
  id: string,
  commitment: SolanaCommitment,
): Promise<Result<Uint8Array>> => {
  const found = await demandSolana(rpc, {
    method: "getTransaction",
    params: [id, { commitment, encoding: "base64", maxSupportedTransactionVersion: VERSION_MAX }],
    schema: transactionSchema,
  });
  return found.ok ? ok(found.value.transaction) : found;
};
