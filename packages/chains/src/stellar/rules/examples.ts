import { type FamilyExamples, SAMPLE_ACCOUNT } from "@conclave/custody";

const TO = "GAFVCOWZWSJEAFOKBEBO2B4QITJ2YXN6YIYG6BUURQINVDVW4OPS3OL6";
const ISSUER = "GBTL47RTFR5EKMZSXWOQU735WBK7LRPPDIDK3JTNTCZZ7NUBBRDTVSK2";
/** 0.5 XLM to the receiver above, until the end of 2025: the XDR of an unsigned envelope, as the official SDK writes it */
const UNSIGNED = {
  kind: "Transaction",
  transaction: `0x0000000200000000${SAMPLE_ACCOUNT}000000640000000000000002000000010000000000000000000000006955b90000000000000000010000000000000001000000000b513ad9b4924015ca0902ed079044d3ac5dbec2306f06948c10da8eb6e39f2d0000000000000000004c4b400000000000000000`,
} as const;

export const STELLAR_EXAMPLES: FamilyExamples = {
  network: "StellarTestnet",
  transfers: {
    "1.5 XLM": { kind: "Native", to: TO, amount: "15000000" },
    "XLM with a memo, as exchanges ask for": { kind: "Native", to: TO, amount: "15000000", memo: "1042" },
    "an asset of Stellar's ledger": {
      kind: "Sep41",
      issuer: ISSUER,
      assetCode: "USDC",
      to: TO,
      amount: "25000000",
    },
  },
  transactions: {},
  signatures: { "a payment that is not sent": UNSIGNED },
  unsigned: UNSIGNED,
};
