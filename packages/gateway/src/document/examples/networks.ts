import type { callFunctionBodySchema, readContractBodySchema } from "../../schemas/contract-call.ts";
import type { reindexTransactionBodySchema } from "../../schemas/reindex.ts";
import type { Examples } from "./examples.ts";

const TOKEN = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

export const CALL_FUNCTION_EXAMPLES: Examples<typeof callFunctionBodySchema> = {
  "how much of a token somebody holds": {
    contract: TOKEN,
    abi: {
      type: "function",
      name: "balanceOf",
      stateMutability: "view",
      inputs: [{ name: "owner", type: "address" }],
      outputs: [{ name: "", type: "uint256" }],
    },
    calldata: { owner: TOKEN },
  },
};

export const READ_CONTRACT_EXAMPLES: Examples<typeof readContractBodySchema> = {
  "how much there is of a token": {
    kind: "Evm",
    network: "EthereumSepolia",
    contract: TOKEN,
    data: "0x18160ddd",
  },
};

export const REINDEX_TRANSACTION_EXAMPLES: Examples<typeof reindexTransactionBodySchema> = {
  "form: a final transaction of your network": { txHash: `0x${"5d".repeat(32)}` },
};
