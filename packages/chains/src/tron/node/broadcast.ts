import { bytesToHex } from "@noble/curves/utils.js";
import { z } from "zod";
import type { BroadcastOutcome } from "../../chain.ts";
import { rawDataIn } from "../signed.ts";
import { decodeTron, tronId } from "../transaction.ts";
import { lastTronBlock } from "./blocks.ts";
import { nodeWords, type TronHttp } from "./http.ts";
import { sightTron } from "./sight.ts";

const answerSchema = z.object({
  result: z.boolean().optional(),
  txid: z.string().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
});

/**
 * Codes of a transaction that has expired, or refers to a block that is not on the node's chain: no node of our chain
 * will include it.
 */
const OUTDATED: readonly (string | undefined)[] = ["TRANSACTION_EXPIRATION_ERROR", "TAPOS_ERROR"];
/** Codes of permanent refusals: a wrong signature or size. */
const NEVER: readonly (string | undefined)[] = ["SIGERROR", "TOO_BIG_TRANSACTION_ERROR"];
/** Codes with many meanings, which only the message tells apart. */
const FINAL_BY_WORDS: readonly (string | undefined)[] = ["CONTRACT_VALIDATE_ERROR", "OTHER_ERROR"];
/**
 * Messages of permanent refusals of contracts (docs/refusals/tron.md): java-tron's TransferActuator,
 * TransferAssetActuator, VMActuator, TransactionTrace and Manager.
 */
const NEVER_VALID = new RegExp(
  [
    "Invalid (owner|to)Address",
    "contract type error",
    "(Amount|callValue|tokenValue|tokenId|feeLimit) must be",
    "invalid arguments with tokenValue",
    "transfer (TRX|asset) to (yourself|a? ?smartContract)",
    "No contract or not a smart contract",
    "No contract!|contract not exist|is not in contract store",
    "No asset!",
    "cannot call constant method",
    "contract size should be exactly 1",
  ].join("|"),
  "i",
);
/** The node has seen the transaction before; this code hides any other problem with it (java-tron#2516). */
const MET_BEFORE = "DUP_TRANSACTION_ERROR";

/**
 * Sends signed bytes to the node. It is a success if the node has them already: after a crash the same bytes are sent
 * again (INV-4). A success is only one node's answer, so they are sent again until they land or expire.
 *
 * @param signed as `signedTron` wrote it; @throws TypeError for anything else
 */
export const broadcastTron = async (http: TronHttp, signed: Uint8Array): Promise<BroadcastOutcome> => {
  const unsigned = rawDataIn(signed);
  const said = await http.call("/wallet/broadcasthex", { transaction: bytesToHex(signed) });
  if (said.kind === "away") {
    return { kind: "refused", reason: `the chain node does not answer: ${said.cause}` };
  }
  const answer = said.kind === "answer" ? answerSchema.safeParse(said.body) : undefined;
  if (answer?.success !== true) {
    return { kind: "refused", reason: "the chain node does not say that it took the transaction" };
  }
  if (answer.data.code === MET_BEFORE) return judgeMetBefore(http, unsigned);
  return tronOutcome(answer.data, tronId(unsigned));
};

/** Reads a node's answer to a signed transaction. */
const tronOutcome = (
  { result, txid, code, message = "" }: z.infer<typeof answerSchema>,
  id: string,
): BroadcastOutcome => {
  if (result === true) {
    return txid === undefined || txid === id
      ? { kind: "accepted" }
      : { kind: "refused", reason: "the chain node names another transaction than it was sent" };
  }
  const words = [code, nodeWords(message)].filter((part) => part !== undefined && part !== "");
  const said = words.join(": ");
  if (OUTDATED.includes(code)) {
    return { kind: "outdated", reason: `${said}; waiting for the chain to settle it` };
  }
  return NEVER.includes(code) || (FINAL_BY_WORDS.includes(code) && NEVER_VALID.test(said))
    ? { kind: "unacceptable", reason: `the chain node never takes this transaction: ${said}` }
    : { kind: "refused", reason: `the chain node does not take the transaction: ${said}` };
};

/**
 * Judges a transaction that the node has seen before. Such a node may check its cache before the expiration, for an
 * hour (java-tron, node.rpc.trxCacheEnable).
 */
const judgeMetBefore = async (http: TronHttp, unsigned: Uint8Array): Promise<BroadcastOutcome> => {
  const seen = await sightTron(http, tronId(unsigned));
  if (seen.ok && seen.value.kind !== "unknown") return { kind: "accepted" };
  const [decoded, last] = [decodeTron(unsigned), await lastTronBlock(http, "wallet")];
  const isOver = decoded.ok && last.ok && decoded.value.expirationMs <= last.value.timeMs;
  const reason = "the chain node has met the transaction before, and does not show it";
  return isOver
    ? { kind: "outdated", reason: `${reason}; its time is over, waiting for the chain to settle it` }
    : { kind: "refused", reason };
};
