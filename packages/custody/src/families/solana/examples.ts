import type { FamilyExamples } from "../examples.ts";

const TO = "6TcyBfPdBt1kjsvDZLzmBFnuMaLWiTaAt4RjUr9VA5YD";
const MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";

export const SOLANA_EXAMPLES: FamilyExamples = {
  network: "SolanaDevnet",
  transfers: {
    "0.001 SOL": { kind: "Native", to: TO, amount: "1000000" },
    "a token, whose account is made if there is none": {
      kind: "Spl",
      mint: MINT,
      to: TO,
      amount: "2500000",
      createDestinationAccount: true,
    },
    "a token of Token-2022": { kind: "Spl2022", mint: MINT, to: TO, amount: "2500000" },
  },
  transactions: {},
  signatures: {},
};
