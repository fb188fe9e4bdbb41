import { ok, type Result } from "@conclave/custody";
import { equalBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { messageOf } from "../message/message.ts";
import type { SolanaCommitment } from "./blocks.ts";
import { base64Field, signatureField, uint64Field, VERSION_MAX } from "./fields.ts";
import { demandSolana, type SolanaRpc, solanaAway } from "./json-rpc.ts";

/** Transactions of an account that are listed at once, and how often: in some minutes thousands may come in. */
const PAGE = 1_000;
const PAGES_MAX = 20;
/** Transactions that are asked for at once. */
const AT_ONCE = 8;

const listedSchema = z.array(z.object({ signature: signatureField, slot: uint64Field }));
const transactionSchema = z.object({ slot: uint64Field, transaction: base64Field });

/** The criteria of a search among an account's transactions. */
export interface LandingSearch {
  readonly owner: string;
  /** from this slot on, and up to that one; undefined goes as far as the chain */
  readonly since: bigint;
  readonly until?: bigint;
  readonly commitment: SolanaCommitment;
  /** a slot that the node must have reached with this commitment, so that what it lists goes that far */
  readonly reached: bigint;
}

/** All transactions of an account in some slots, failed ones too, the newest first. */
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
    // a page that is not full is no end where a node answers with less than was asked for: only an empty one, or what is older
    if (last === undefined || last.slot < since) return ok(ids);
    before = last.signature;
    // a node that does not know it says that there is nothing more: the next page is for one that has come as far
    if (last.slot > needed) needed = last.slot;
  }
  return solanaAway(rpc.network, "the wallet has too many transactions of that time, so it gives no verdict");
};

/**
 * Looks whether a message has landed: all of the account's transactions in some slots are read, and compared byte by byte, for an
 * id changes with each signature.
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

/** One that is listed and not shown is no proof of anything. */
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
