import { type FamilyExamples, SAMPLE_ACCOUNT } from "@conclave/custody";

const TO = "BNITVWNUSJABLSQJALWQPECE2OWF3PWCGBXQNFEMCDNI5NXDT4WVD7NFRM";
/**
 * 0.5 ALGO to the receiver above, in the test network's first thousand rounds: canonical msgpack, as the official SDK writes it
 */
const UNSIGNED = {
  kind: "Transaction",
  transaction: `0x89a3616d74ce0007a120a3666565cd03e8a2667601a367656eac746573746e65742d76312e30a26768c4204863b518a4b3c84ec810f22d4f1081cb0f71f059a7ac20dec62f7f70e5093a22a26c76cd03e8a3726376c4200b513ad9b4924015ca0902ed079044d3ac5dbec2306f06948c10da8eb6e39f2da3736e64c420${SAMPLE_ACCOUNT}a474797065a3706179`,
} as const;

export const ALGORAND_EXAMPLES: FamilyExamples = {
  network: "AlgorandTestnet",
  transfers: {
    "0.5 ALGO": { kind: "Native", to: TO, amount: "500000" },
    "an asset of Algorand's ledger": { kind: "Asa", assetId: "10458941", to: TO, amount: "2500000" },
  },
  transactions: {},
  signatures: {},
  unsigned: UNSIGNED,
};
