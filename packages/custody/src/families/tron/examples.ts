import type { FamilyExamples } from "../examples.ts";

const TO = "TKYwkzEMh52uYBuUxUDzhxXv3kNvpiXSLx";
const TOKEN = "TMneCXvi5RyCSCeDoDYcC9zW5hfTSSn3wY";

export const TRON_EXAMPLES: FamilyExamples = {
  network: "TronNile",
  transfers: {
    "0.5 TRX": { kind: "Native", to: TO, amount: "500000" },
    "a token of TRON's ledger (TRC-10)": { kind: "Trc10", tokenId: "1002000", to: TO, amount: "2500000" },
    "a token of a contract (TRC-20)": { kind: "Trc20", contract: TOKEN, to: TO, amount: "2500000" },
    "a token that is one of a kind (TRC-721)": { kind: "Trc721", contract: TOKEN, to: TO, tokenId: "1" },
  },
  transactions: {},
  signatures: {},
};
