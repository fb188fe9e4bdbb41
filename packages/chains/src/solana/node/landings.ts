import { ok, type Result } from "@conclave/custody";
import { equalBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { messageOf } from "../message/message.ts";
import type { SolanaCommitment } from "./blocks.ts";
import { base64Field, signatureField, uint64Field } from "./fields.ts";
import { demandSolana, type SolanaRpc, solanaAway } from "./json-rpc.ts";

/** Transactions of an account that are listed at once, and how often: in some minutes thousands may come in. */
const PAGE = 1_000;
const PAGES_MAX = 20;
/** Transactions that are asked for at once. */
const AT_ONCE = 8;

const listedSchema = z.array(z.object({ signature: signatureField, slot: uint64Field }));
const transactionSchema = z.object({ slot: uint64Field, transaction: base64Field });

/** What is looked for among the transactions of an account. */
export interface LandingSearch {
  readonly owner: string;
  /** from this slot on */
  readonly since: bigint;
  readonly commitment: SolanaCommitment;
  /** a slot that the node must have reached with this commitment, so that what it lists goes that far */
  readonly reached: bigint;
}

/** All transactions of an account since a slot, failed ones too, the newest first. */
const listSince = async (
  rpc: SolanaRpc,
  { owner, since, commitment, reached }: LandingSearch,
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
    ids.push(...listed.value.filter(({ slot }) => slot >= since).map(({ signature }) => signature));
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
 * Looks whether one of some messages has landed: all of the account's transactions since a slot are read, and compared byte by
 * byte, for an id changes with each signature.
 * @param messages of transactions that the account signs
 * @returns by the index of its message the id under which it landed
 */
export const findLandings = async (
  rpc: SolanaRpc,
  search: LandingSearch,
  messages: readonly Uint8Array[],
): Promise<Result<ReadonlyMap<number, string>>> => {
  const listed = await listSince(rpc, search);
  if (!listed.ok) return listed;
  const found = new Map<number, string>();
  for (let from = 0; from < listed.value.length; from += AT_ONCE) {
    const ids = listed.value.slice(from, from + AT_ONCE);
    const read = await Promise.all(ids.map((id) => transactionOf(rpc, id, search.commitment)));
    for (const [at, transaction] of read.entries()) {
      if (!transaction.ok) return transaction;
      const message = messageOf(transaction.value);
      const index = messages.findIndex((known) => equalBytes(known, message));
      const id = ids[at];
      if (index >= 0 && id !== undefined) found.set(index, id);
    }
  }
  return ok(found);
};

/** One that is listed and not shown is no proof of anything. */
const transactionOf = async (
  rpc: SolanaRpc,
  id: string,
  commitment: SolanaCommitment,
): Promise<Result<Uint8Array>> => {
  const found = await demandSolana(rpc, {
    method: "getTransaction",
    params: [id, { commitment, encoding: "base64", maxSupportedTransactionVersion: 0 }],
    schema: transactionSchema,
  });
  return found.ok ? ok(found.value.transaction) : found;
};
