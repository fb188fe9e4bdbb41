import type { FamilyExamples } from "../examples.ts";

const TO = "rnQsm5bYMLrqqBTnHbVd5cfFpZWkEz13Er";

export const XRPL_EXAMPLES: FamilyExamples = {
  network: "XrpLedgerTestnet",
  transfers: {
    "0.5 XRP": { kind: "Native", to: TO, amount: "500000" },
    "XRP with a destination tag, as exchanges ask for": {
      kind: "Native",
      to: TO,
      amount: "500000",
      memo: "1042",
    },
  },
  transactions: {},
  signatures: {},
};
