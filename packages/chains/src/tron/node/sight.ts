import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { Sighting } from "../../chain.ts";
import { blockId, count, headerAt, type TronSide } from "./blocks.ts";
import { findTron, nodeWords, type TronHttp, tronAway } from "./http.ts";
import { revertText } from "./try-call.ts";

const infoSchema = z.object({
  id: blockId,
  blockNumber: count,
  /** sun: all that was burnt */
  fee: count,
  /** "FAILED" when it was undone */
  result: z.string().optional(),
  resMessage: z.string().default(""),
  contractResult: z.array(z.string()).default([]),
  receipt: z.object({ result: z.string().optional() }).default({}),
});
type Info = z.output<typeof infoSchema>;

/** How a node calls what was carried out; of payments it says nothing. */
const CARRIED_OUT: readonly (string | undefined)[] = [undefined, "SUCCESS", "DEFAULT"];

/** What a transaction was charged, where it landed; undefined when this side of the node has it in no block. */
const infoOf = async (http: TronHttp, side: TronSide, id: string): Promise<Result<Info | undefined>> => {
  const path = `/${side}/gettransactioninfobyid`;
  const found = await findTron(http, { path, body: { value: id }, schema: infoSchema });
  return found.ok && found.value !== undefined && found.value.id !== id
    ? tronAway(http.network, "it tells of another transaction than was asked for")
    : found;
};

/** Looks for a transaction. Solid blocks are final, and a call that failed in one has failed for good: its fee is paid. */
export const sightTron = async (http: TronHttp, id: string): Promise<Result<Sighting>> => {
  const solid = await infoOf(http, "walletsolidity", id);
  if (!solid.ok) return solid;
  if (solid.value !== undefined) return included(http, "walletsolidity", solid.value);
  const latest = await infoOf(http, "wallet", id);
  if (!latest.ok) return latest;
  return latest.value === undefined ? inPool(http, id) : included(http, "wallet", latest.value);
};

/** A node that has the transaction and not its block yet is one that is about to have it. */
const included = async (http: TronHttp, side: TronSide, info: Info): Promise<Result<Sighting>> => {
  const block = await headerAt(http, side, info.blockNumber);
  if (!block.ok) return block;
  if (block.value === undefined) return ok({ kind: "waiting" });
  const succeeded = info.result !== "FAILED" && CARRIED_OUT.includes(info.receipt.result);
  return ok({
    kind: "included",
    height: info.blockNumber,
    blockHash: block.value.id,
    isFinal: side === "walletsolidity",
    fee: info.fee,
    succeeded,
    ...(succeeded ? {} : { reason: whyFailed(info) }),
  });
};

const whyFailed = ({ receipt, resMessage, contractResult: [returned = ""] }: Info): string =>
  [receipt.result ?? "FAILED", revertText(returned) ?? nodeWords(resMessage)]
    .filter((part) => part !== "")
    .join(": ");

/**
 * Whether it waits in the node's pool. A node that does not tell is sent the same bytes again. Some show what waits by its id as
 * well, like what is in a block already.
 */
const inPool = async (http: TronHttp, id: string): Promise<Result<Sighting>> => {
  for (const path of ["/wallet/gettransactionfrompending", "/wallet/gettransactionbyid"]) {
    const said = await http.call(path, { value: id });
    if (said.kind === "answer" && z.object({ txID: z.literal(id) }).safeParse(said.body).success) {
      return ok({ kind: "waiting" });
    }
  }
  return ok({ kind: "unknown" });
};
