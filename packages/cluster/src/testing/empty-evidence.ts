import { type Evidence, NO_MATERIAL, type PartyIndex } from "@conclave/threshold";

/** Evidence that proves nothing. */
export const emptyEvidence = (accused: PartyIndex): Evidence => ({
  attempt: {
    given: new Uint8Array(32),
    expiresAtMs: 0,
    protocol: "signing",
    level: "INSECURE-TEST",
    scheme: "CGGMP24",
    keyId: "",
    epoch: 0,
    parties: [accused],
    threshold: 1,
    total: 1,
    agreed: [],
  },
  accused,
  check: "sign/1 σ·Γ = m·Δ~ + r·S~",
  messages: [],
  material: NO_MATERIAL,
});
