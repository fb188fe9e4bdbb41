import { type FamilyContent, ok, type Result } from "@conclave/custody";
import { hexToNumber } from "@noble/curves/utils.js";
import { z } from "zod";
import { dateByMs } from "../../block-date.ts";
import type { Sighting } from "../../chain.ts";
import { type TronTransfer, tronTransferSchema } from "../rules/act.ts";
import { blockId, count, headerAt, type TronSide } from "./blocks.ts";
import { trc721Owner } from "./holdings.ts";
import { findTron, HEX_BYTES, nodeWords, type TronHttp, tronAway } from "./http.ts";
import { logSchema, tronMovementIn } from "./logs.ts";
import { revertText } from "./try-call.ts";

const infoSchema = z.object({
  id: blockId,
  blockNumber: count,
  /** sun: the total burnt */
  fee: count,
  /** "FAILED" if it was undone */
  result: z.string().optional(),
  resMessage: z.string().default(""),
  contractResult: z.array(z.string().regex(HEX_BYTES)).default([]),
  log: z.array(logSchema).default([]),
  receipt: z.object({ result: z.string().optional() }).default({}),
});
type Info = z.output<typeof infoSchema>;

/** Results of successful transactions; a node gives none for payments. */
const CARRIED_OUT: readonly (string | undefined)[] = [undefined, "SUCCESS", "DEFAULT"];

/** The record of a transaction that landed; undefined if this API of the node has it in no block. */
const infoOf = async (http: TronHttp, side: TronSide, id: string): Promise<Result<Info | undefined>> => {
  const path = `/${side}/gettransactioninfobyid`;
  const found = await findTron(http, { path, body: { value: id }, schema: infoSchema });
  return found.ok && found.value !== undefined && found.value.id !== id
    ? tronAway(http.network, "it tells of another transaction than was asked for")
    : found;
};

/**
 * Looks for a transaction. Solid blocks are final, and a call that failed in one has failed for good, with its fee
 * paid.
 *
 * @param expected the transfer of the transaction, in the family's form; @throws ZodError for anything else
 */
export const sightTron = async (
  http: TronHttp,
  id: string,
  expected?: FamilyContent,
): Promise<Result<Sighting>> => {
  const transfer = expected && tronTransferSchema.parse(expected);
  const solid = await infoOf(http, "walletsolidity", id);
  if (!solid.ok) return solid;
  if (solid.value !== undefined) return included(http, "walletsolidity", solid.value, transfer);
  const latest = await infoOf(http, "wallet", id);
  if (!latest.ok) return latest;
  return latest.value === undefined ? inPool(http, id) : included(http, "wallet", latest.value, transfer);
};

/** If the node has the transaction but not its block yet, it is about to have the block. */
const included = async (
  http: TronHttp,
  side: TronSide,
  info: Info,
  transfer: TronTransfer | undefined,
): Promise<Result<Sighting>> => {
  const block = await headerAt(http, side, info.blockNumber);
  if (!block.ok) return block;
  if (block.value === undefined) return ok({ kind: "waiting" });
  const isCarriedOut = info.result !== "FAILED" && CARRIED_OUT.includes(info.receipt.result);
  const effect: Result<Effect> = isCarriedOut
    ? await effectOf(http, info, transfer)
    : ok({ succeeded: false, reason: whyFailed(info) });
  if (!effect.ok) return effect;
  return ok({
    kind: "included",
    height: info.blockNumber,
    blockHash: block.value.id,
    isFinal: side === "walletsolidity",
    fee: info.fee,
    ...dateByMs(block.value.timeMs),
    ...effect.value,
  });
};

type Effect = Pick<
  Extract<Sighting, { readonly kind: "included" }>,
  "succeeded" | "movedNothing" | "arrived" | "reason"
>;

const nothing = (reason: string): Effect => ({ succeeded: false, movedNothing: true, reason });

/**
 * The effect of an executed call for its transfer. The ledger's own payments move what they state, or fail. For a token
 * its event counts (TIP-20 and TIP-721 require one), not the result of `transfer`: USDT of the main network moves
 * tokens and returns false, because StandardTokenWithFees.transfer forgets to return.
 */
const effectOf = async (
  http: TronHttp,
  info: Info,
  transfer: TronTransfer | undefined,
): Promise<Result<Effect>> => {
  switch (transfer?.kind) {
    case undefined:
    case "Native":
    case "Trc10":
      return ok({ succeeded: true });
    case "Trc20":
      return ok(trc20Effect(info, transfer));
    case "Trc721":
      return trc721Effect(http, info, transfer);
  }
};

type Of<Kind> = Extract<TronTransfer, { readonly kind: Kind }>;

/** The effect of a TRC-20 transfer. Without an event, a returned true is the only sign of its success. */
const trc20Effect = (
  { id, log, contractResult: [returned = ""] }: Info,
  { contract, to, amount }: Of<"Trc20">,
): Effect => {
  let arrived = 0n;
  for (const [nth, each] of log.entries()) {
    const moved = tronMovementIn(id, each, nth)?.moved;
    if (moved?.kind === "Trc20" && moved.contract === contract && moved.to === to) {
      arrived += BigInt(moved.amount);
    }
  }
  if (arrived > 0n) return { succeeded: true, ...(arrived === BigInt(amount) ? {} : { arrived }) };
  return isTrue(returned)
    ? { succeeded: true }
    : nothing("the token wrote no event of a transfer to the recipient, and did not return true");
};

const isTrue = (returned: string): boolean => returned.length === 64 && hexToNumber(returned) === 1n;

/** The effect of a TRC-721 transfer. Without an event, the token's current owner decides. */
const trc721Effect = async (
  http: TronHttp,
  { id, log }: Info,
  { contract, from, to, tokenId }: Of<"Trc721">,
): Promise<Result<Effect>> => {
  const isMoved = log.some((each, nth) => {
    const moved = tronMovementIn(id, each, nth)?.moved;
    return (
      moved?.kind === "Trc721" && moved.contract === contract && moved.to === to && moved.tokenId === tokenId
    );
  });
  if (isMoved || from === to) return ok({ succeeded: true });
  const owner = await trc721Owner(http, contract, BigInt(tokenId));
  if (!owner.ok) return owner;
  return ok(owner.value === from ? nothing("the wallet still owns the token") : { succeeded: true });
};

const whyFailed = ({ receipt, resMessage, contractResult: [returned = ""] }: Info): string =>
  [receipt.result ?? "FAILED", revertText(returned) ?? nodeWords(resMessage)]
    .filter((part) => part !== "")
    .join(": ");

/**
 * Whether the transaction waits in the node's pool. If a node does not show it, the same bytes are sent again. Some
 * nodes show pool transactions by gettransactionbyid too, like those in a block.
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
