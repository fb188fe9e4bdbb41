import type { LedgerJson } from "../../json.ts";
import { BLOCK_VERSION, type JavaTronBlock } from "../block.ts";
import { javaTronAddressJson, javaTronTransactionJson, unlessJavaTronZero } from "./transaction-json.ts";

export interface JavaTronBlockShow {
  /** by the block's witness, in hex */
  readonly signature: string;
  /** addresses as T…, and bytes that are text as text */
  readonly visible: boolean;
  /** with its transactions */
  readonly detail: boolean;
}

/** A block as nodes write it. */
export const javaTronBlockJson = (
  block: JavaTronBlock,
  { signature, visible, detail }: JavaTronBlockShow,
): LedgerJson => {
  const transactions = [...block.transactions.values()].map(({ submission, receipt }) =>
    javaTronTransactionJson(submission, visible, receipt),
  );
  return {
    blockID: block.id,
    block_header: {
      raw_data: {
        number: unlessJavaTronZero(block.number),
        txTrieRoot: block.transactionsRoot,
        witness_address: javaTronAddressJson(block.witness, visible),
        parentHash: block.parentId,
        version: BLOCK_VERSION,
        timestamp: unlessJavaTronZero(block.time),
      },
      witness_signature: signature,
    },
    transactions: detail && transactions.length > 0 ? transactions : undefined,
  };
};
