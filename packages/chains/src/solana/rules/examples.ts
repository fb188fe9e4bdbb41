import { type FamilyExamples, SAMPLE_ACCOUNT } from "@conclave/custody";

const TO = "6TcyBfPdBt1kjsvDZLzmBFnuMaLWiTaAt4RjUr9VA5YD";
const MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";
/** 0.001 SOL to the receiver above, with an invented blockhash: an unsigned legacy transaction, as the official SDK writes it */
const UNSIGNED = {
  kind: "Transaction",
  transaction: `0x01${"00".repeat(64)}01000103${SAMPLE_ACCOUNT}511c34a1a2cb521df16bb246b8de8e7997ce235c7e76b22a3d7503a24819dd8a${"00".repeat(32)}${"07".repeat(32)}01020200010c0200000040420f0000000000`,
} as const;

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
  signatures: { "a payment that is not sent": UNSIGNED },
  unsigned: UNSIGNED,
};
