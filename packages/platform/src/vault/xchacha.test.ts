import { randomBytes } from "node:crypto";
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { describe, expect, it } from "vitest";
import { decryptXChaCha, encryptXChaCha } from "./xchacha.ts";

const hex = (digits: string): Uint8Array => new Uint8Array(Buffer.from(digits, "hex"));

describe("XChaCha20-Poly1305", () => {
  it("is that of draft-irtf-cfrg-xchacha-03, appendix A.3.1", () => {
    const key = hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");
    const nonce = hex("404142434445464748494a4b4c4d4e4f5051525354555657");
    const bound = hex("50515253c0c1c2c3c4c5c6c7");
    const text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.";
    const sealed = encryptXChaCha(key, nonce, bound, Buffer.from(text));
    expect(Buffer.from(sealed).toString("hex")).toBe(
      "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb" +
        "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452" +
        "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9" +
        "21f9664c97637da9768812f615c68b13b52e" +
        "c0875924c1c7987947deafd8780acf49",
    );
    expect(Buffer.from(decryptXChaCha(key, nonce, bound, sealed)).toString()).toBe(text);
  });

  it("is that of another library, at every length and wherever its bytes lie in memory", () => {
    for (let length = 0; length < 200; length += 1) {
      const [key, nonce] = [randomBytes(32), randomBytes(24)];
      const bound = randomBytes(length % 40);
      const plaintext = randomBytes(length + 1).subarray(1);
      const theirs = xchacha20poly1305(new Uint8Array(key), new Uint8Array(nonce), bound).encrypt(
        new Uint8Array(plaintext),
      );
      expect(Buffer.compare(encryptXChaCha(key, nonce, bound, plaintext), theirs)).toBe(0);
      expect(Buffer.compare(decryptXChaCha(key, nonce, bound, theirs), plaintext)).toBe(0);
    }
  });

  it("does not open what was changed, cut, or bound to something else", () => {
    const [key, nonce, bound] = [randomBytes(32), randomBytes(24), Buffer.from("a")];
    const sealed = encryptXChaCha(key, nonce, bound, Buffer.from("value"));
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Uint8Array.from(sealed, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(() => decryptXChaCha(key, nonce, bound, changed)).toThrow();
      expect(() => decryptXChaCha(key, nonce, bound, sealed.subarray(0, at))).toThrow();
    }
    expect(() => decryptXChaCha(key, nonce, Buffer.from("b"), sealed)).toThrow();
    expect(() => decryptXChaCha(key, randomBytes(24), bound, sealed)).toThrow();
    expect(() => decryptXChaCha(randomBytes(32), nonce, bound, sealed)).toThrow();
  });
});
