import { type FamilyExamples, SAMPLE_SHORT_ACCOUNT } from "@conclave/custody";

const TO = "rnQsm5bYMLrqqBTnHbVd5cfFpZWkEz13Er";
/** 0.5 XRP to the receiver above, as its sender's first transaction: the canonical binary form, without a key */
const UNSIGNED = {
  kind: "Transaction",
  transaction: `0x12000022000000002400000001201b000003e861400000000007a12068400000000000000c8114${SAMPLE_SHORT_ACCOUNT}8314303c6223c92874e0c849154b09141ef852384b51`,
} as const;

export const XRPL_EXAMPLES: FamilyExamples = {
  network: "XrpLedgerTestnet",
  transfers: {
    "2 XRP": { kind: "Native", to: TO, amount: "2000000" },
    "XRP with a destination tag, as exchanges ask for": {
      kind: "Native",
      to: TO,
      amount: "2000000",
      memo: "1042",
    },
  },
  transactions: {},
  signatures: {},
  unsigned: UNSIGNED,
};
