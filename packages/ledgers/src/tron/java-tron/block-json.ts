import type { LedgerJson } from "../../json.ts";
import { BLOCK_VERSION, type JavaTronBlock } from "../block.ts";
import { javaTronAddressJson, javaTronTransactionJson, unlessJavaTronZero } from "./transaction-json.ts";

export interface JavaTronBlockShow {
  /** the block's signature by its witness, in hex */
  readonly signature: string;
  /** shows addresses as T…, and text bytes as text */
  readonly visible: boolean;
  /** includes the transactions */
  readonly detail: boolean;
}

/** A block in the JSON of a node. */
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
