import { hexToBytes } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import type { JavaTronAddress } from "../address.ts";
import { javaTronReference } from "../block.ts";
import { type JavaTronState, latestJavaTronBlock } from "../state.ts";
import { encodeJavaTronRawData, type JavaTronBuiltAct, javaTronIdOf } from "../transaction/encode.ts";
import { javaTronTransactionJson } from "./transaction-json.ts";

/** Lifetime of a node-built transaction. */
const LIFE_MS = 60_000;

export interface JavaTronBuild {
  readonly owner: JavaTronAddress;
  readonly act: JavaTronBuiltAct;
  readonly feeLimit: bigint;
  readonly permissionId: number;
}

/** An unsigned transaction, as a node builds one for a caller. @param now milliseconds since 1970 */
export const javaTronBuiltJson = (
  state: JavaTronState,
  { owner, act, feeLimit, permissionId }: JavaTronBuild,
  now: number,
  visible: boolean,
): Readonly<Record<string, LedgerJson>> => {
  const head = latestJavaTronBlock(state);
  const reference = javaTronReference(head);
  const transaction = {
    owner,
    act,
    permissionId,
    refBlockBytes: hexToBytes(reference.bytes),
    refBlockHash: hexToBytes(reference.hash),
    expiration: head.time + LIFE_MS,
    timestamp: BigInt(now),
    data: new Uint8Array(),
    feeLimit,
  };
  const rawData = encodeJavaTronRawData(transaction, act);
  return javaTronTransactionJson(
    { id: javaTronIdOf(rawData), transaction, rawData, signatures: [] },
    visible,
  );
};
