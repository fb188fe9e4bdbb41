import type { LedgerJson } from "../../json.ts";
import { BLOCK_VERSION, type JavaTronBlock } from "../block.ts";
import { javaTronAddressJson, javaTronTransactionJson, unlessJavaTronZero } from "./transaction-json.ts";

/** A block as nodes write it. @param detail with its transactions */
export const javaTronBlockJson = (block: JavaTronBlock, visible: boolean, detail = true): LedgerJson => {
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
      witness_signature: block.witnessSignature,
    },
    transactions: detail && transactions.length > 0 ? transactions : undefined,
  };
};
