import type { FamilyExamples } from "../examples.ts";

const TO = "tb1qdmm5875nd4709xuh7f65k9d46laea9ql7s0h59";

export const BITCOIN_EXAMPLES: FamilyExamples = {
  network: "BitcoinSignet",
  transfers: {
    "0.0005 bitcoin": { kind: "Native", to: TO, amount: "50000" },
    "bitcoin, without haste": { kind: "Native", to: TO, amount: "50000", priority: "Slow" },
  },
  transactions: {},
  signatures: {},
};
