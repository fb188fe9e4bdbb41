import type { FamilyExamples } from "../examples.ts";

const TO = "BNITVWNUSJABLSQJALWQPECE2OWF3PWCGBXQNFEMCDNI5NXDT4WVD7NFRM";

export const ALGORAND_EXAMPLES: FamilyExamples = {
  network: "AlgorandTestnet",
  transfers: {
    "0.5 ALGO": { kind: "Native", to: TO, amount: "500000" },
    "an asset of Algorand's ledger": { kind: "Asa", assetId: "10458941", to: TO, amount: "2500000" },
  },
  transactions: {},
  signatures: {},
};
