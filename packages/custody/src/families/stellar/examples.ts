import type { FamilyExamples } from "../examples.ts";

const TO = "GAFVCOWZWSJEAFOKBEBO2B4QITJ2YXN6YIYG6BUURQINVDVW4OPS3OL6";
const ISSUER = "GBTL47RTFR5EKMZSXWOQU735WBK7LRPPDIDK3JTNTCZZ7NUBBRDTVSK2";

export const STELLAR_EXAMPLES: FamilyExamples = {
  network: "StellarTestnet",
  transfers: {
    "0.5 XLM": { kind: "Native", to: TO, amount: "5000000" },
    "XLM with a memo, as exchanges ask for": { kind: "Native", to: TO, amount: "5000000", memo: "1042" },
    "an asset of Stellar's ledger": {
      kind: "Sep41",
      issuer: ISSUER,
      assetCode: "USDC",
      to: TO,
      amount: "25000000",
    },
  },
  transactions: {},
  signatures: {},
};
