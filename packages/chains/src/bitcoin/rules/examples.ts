import { type FamilyExamples, SAMPLE_ACCOUNT } from "@conclave/custody";

const TO = "tb1qdmm5875nd4709xuh7f65k9d46laea9ql7s0h59";
/** pays 0.0005 of a 0.001 bitcoin Taproot coin to the receiver above, and the change back; a PSBT (BIP-174) */
const UNSIGNED = {
  kind: "Psbt",
  psbt: `0x70736274ff01007d0200000001${"ab".repeat(32)}0000000000fdffffff0250c30000000000001600146ef743fa936d7cf29b97f2754b15b5d7fb9e941f68bf000000000000225120${SAMPLE_ACCOUNT}000000000001012ba086010000000000225120${SAMPLE_ACCOUNT}000000`,
} as const;

export const BITCOIN_EXAMPLES: FamilyExamples = {
  network: "BitcoinSignet",
  scheme: "Schnorr",
  transfers: {
    "0.0005 bitcoin": { kind: "Native", to: TO, amount: "50000" },
    "bitcoin, without haste": { kind: "Native", to: TO, amount: "50000", priority: "Slow" },
  },
  transactions: { "all coins gathered into one": { kind: "Consolidate" } },
  signatures: { "a payment that is not sent (PSBT)": UNSIGNED },
  unsigned: UNSIGNED,
};
