import { type FamilyExamples, SAMPLE_SHORT_ACCOUNT } from "@conclave/custody";

const TO = "TKYwkzEMh52uYBuUxUDzhxXv3kNvpiXSLx";
const TOKEN = "TMneCXvi5RyCSCeDoDYcC9zW5hfTSSn3wY";
/** 0.5 TRX to the receiver above, until the end of 2025: `raw_data`, as the official SDK writes it */
const UNSIGNED = {
  kind: "Transaction",
  transaction: `0x0a020001220801020304050607084080d0eab6b7335a67080112630a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412320a1541${SAMPLE_SHORT_ACCOUNT}121541691a8d05678fc962ff0f2174134379c0051cb68618a0c21e70a0fbe6b6b733`,
} as const;

export const TRON_EXAMPLES: FamilyExamples = {
  network: "TronNile",
  transfers: {
    "0.5 TRX": { kind: "Native", to: TO, amount: "500000" },
    "a token of TRON's ledger (TRC-10)": { kind: "Trc10", tokenId: "1002000", to: TO, amount: "2500000" },
    "a token of a contract (TRC-20)": { kind: "Trc20", contract: TOKEN, to: TO, amount: "2500000" },
    "a token that is one of a kind (TRC-721)": { kind: "Trc721", contract: TOKEN, to: TO, tokenId: "1" },
  },
  transactions: {},
  signatures: { "a payment that is not sent": UNSIGNED },
  unsigned: UNSIGNED,
};
