import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import type { JavaTronBlock, JavaTronConfirmed } from "../block.ts";
import type { JavaTronReceipt } from "../rules/applied.ts";
import { unlessJavaTronZero } from "./transaction-json.ts";

const receiptJson = (receipt: JavaTronReceipt): LedgerJson => ({
  energy_fee: unlessJavaTronZero(receipt.energyFee),
  energy_usage_total: unlessJavaTronZero(receipt.energy),
  net_usage: unlessJavaTronZero(receipt.netUsage),
  net_fee: unlessJavaTronZero(receipt.netFee),
  result: receipt.contract === undefined ? undefined : receipt.result,
});

/** The result of a transaction in the JSON of a node. */
export const javaTronInfoJson = (
  { submission, receipt }: JavaTronConfirmed,
  block: JavaTronBlock,
): LedgerJson => ({
  id: submission.id,
  fee: unlessJavaTronZero(receipt.fee),
  blockNumber: block.number,
  blockTimeStamp: block.time,
  contractResult: [bytesToHex(receipt.output)],
  contract_address: receipt.contract,
  receipt: receiptJson(receipt),
  log: receipt.logs.length > 0 ? receipt.logs.map((log) => ({ ...log })) : undefined,
  result: receipt.result === "SUCCESS" ? undefined : "FAILED",
  resMessage: receipt.words === "" ? undefined : bytesToHex(utf8ToBytes(receipt.words)),
  assetIssueID: receipt.assetId,
});

/** The results of all transactions of a block. */
export const javaTronBlockInfosJson = (block: JavaTronBlock): LedgerJson =>
  [...block.transactions.values()].map((confirmed) => javaTronInfoJson(confirmed, block));
