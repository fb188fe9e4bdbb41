import { x25519 } from "@noble/curves/ed25519.js";
import { hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import wycheproof from "../../../../test/vectors/wycheproof-x25519.json" with { type: "json" };
import { x25519PrivateKey, x25519PublicKey, x25519Shared } from "../arithmetic/openssl.ts";
import { testParty } from "../testing/insecure-auxiliary.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { testSessionId } from "../testing/session-network.ts";
import { ENVELOPE_KIND, type EnvelopeHeader } from "./envelope.ts";
import { SEAL_BYTES, seal, unseal } from "./seal.ts";

const header: EnvelopeHeader = {
  session: testSessionId("vectors"),
  round: 1,
  kind: ENVELOPE_KIND.direct,
  from: testParty(1),
  to: testParty(2),
};
const payload = Uint8Array.of(1, 2, 3);
const vectors = wycheproof.vectors.map((vector) => ({
  ...vector,
  public: hexToBytes(vector.public),
  private: hexToBytes(vector.private),
}));
const degenerate = vectors.filter(({ zero }) => zero);
const sound = vectors.filter(({ zero }) => !zero);

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe("X25519 of sealed messages, by Wycheproof", () => {
  it("agrees on every shared secret, twisted and non-canonical keys included", () => {
    const shared = sound.map((vector) =>
      x25519Shared(x25519PrivateKey(hexOf(vector.private)), hexOf(vector.public)),
    );
    expect(shared.map(hexOf)).toEqual(sound.map((vector) => vector.shared));
  });

  it("is that of noble as well, with the same public keys", () => {
    const shared = sound.map((vector) => x25519.getSharedSecret(vector.private, vector.public));
    expect(shared.map(hexOf)).toEqual(sound.map((vector) => vector.shared));
    const own = sound.map((vector) => x25519PublicKey(x25519PrivateKey(hexOf(vector.private))));
    expect(own).toEqual(sound.map((vector) => x25519.getPublicKey(vector.private)));
  });

  it("opens nothing under an ephemeral key of small order: the key would be the same for everybody", () => {
    expect(degenerate.length).toBeGreaterThan(20);
    for (const vector of degenerate) {
      const sealed = new Uint8Array(SEAL_BYTES + payload.length);
      sealed.set(vector.public);
      expect(unseal(sealed, vector.private, header)).toBe(undefined);
    }
  });

  it("seals nothing to a receiver of small order", () => {
    for (const vector of degenerate) {
      expect(() => seal(payload, vector.public, header, seededEntropy("seal"))).toThrow();
    }
  });

  it("opens for the private keys at the edges what was sealed to their public keys", () => {
    for (const vector of sound.filter(({ flags }) => flags.includes("EdgeCasePrivateKey"))) {
      const sealed = seal(payload, x25519.getPublicKey(vector.private), header, seededEntropy("seal"));
      expect(unseal(sealed, vector.private, header)).toEqual(payload);
    }
  });
});
