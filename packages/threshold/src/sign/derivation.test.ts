import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import { decode, encode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { multiplyBase, sampleScalar } from "../group.ts";
import * as library from "../index.ts";
import { type Presignature, presignatureCodec } from "../presign/presignature.ts";
import type { PresignConfig } from "../presign/run.ts";
import { Secret } from "../secret.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { outputsOf, presign } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { type SigningConfig, startSigning } from "./sign.ts";

// A signature on h under the key shifted by e is one on h + r·e under the key itself. An attacker that may
// choose e once Γ is known can forge at the cost of a cube root instead of a square root (Groth and Shoup,
// EUROCRYPT 2022). So a key is fixed when its presignatures are made, and nothing afterwards can shift it.

const signers = testParties(2);
const self = testParty(1);
const digest = sha256(Uint8Array.of(8));
const made = outputsOf(presign({ t: 2, n: 2, signers }));
const shift = sampleScalar(seededEntropy("shift"));

/** An unspent copy of the presignature: a test may sign with it many times, a signer may not (P6). */
const fresh = (party: PartyIndex, change: Partial<Presignature> = {}): Presignature => {
  const presignature = made.get(party) ?? expect.fail();
  return { ...presignature, secret: new Secret(presignature.secret.reveal()), ...change };
};
const moved = (made.get(self) ?? expect.fail()).publicKey.add(multiplyBase(shift));

const partialOf = (config: SigningConfig): Uint8Array => {
  const step = startSigning(config)(seededEntropy("signing"));
  const [message] = step.kind === "next" ? step.messages : [];
  return message?.payload ?? expect.fail();
};

describe("P8 after a presignature is made", () => {
  it("signing takes only a digest, and presigning only the key itself", () => {
    const toSigning: Record<keyof SigningConfig, true> = {
      self: true,
      presignature: true,
      digest: true,
      key: true,
    };
    const toPresigning: Record<keyof PresignConfig, true> = {
      session: true,
      self: true,
      signers: true,
      key: true,
      auxiliary: true,
      masks: true,
    };
    const names = [...Object.keys(toSigning), ...Object.keys(toPresigning)].join(" ");
    expect(names).not.toMatch(/shift|tweak|path|deriv|child|offset/i);
  });

  it("a shift that is handed in all the same changes no partial signature", () => {
    const plain: SigningConfig = { self, presignature: fresh(self), digest };
    const shifted = {
      ...plain,
      presignature: fresh(self),
      shift,
      tweak: shift,
      derivationPath: [7],
      path: "m/7",
    };
    expect(partialOf(shifted)).toEqual(partialOf(plain));
  });

  it("no signature results for a key that was moved by a shift, even when all signers agree to it", () => {
    const starts = new Map(
      signers.map((party) => [
        party,
        startSigning({ self: party, presignature: fresh(party, { publicKey: moved }), digest }),
      ]),
    );
    for (const outcome of runLockstep({ starts }).values()) {
      expect(outcome).toEqual({ kind: "abort", check: "sign/1 signature under the public key" });
    }
  });

  it("its bytes do not decode under a moved key, and moved shares are not its own", () => {
    const { k, chi } = fresh(self).secret.reveal();
    const inRange = new Secret({ k, chi: (chi + shift * k) % library.ORDER });
    const [kept, changed] = [fresh(self), fresh(self, { publicKey: moved })];
    expect(decode(presignatureCodec, encode(presignatureCodec, kept)).ok).toBe(true);
    expect(decode(presignatureCodec, encode(presignatureCodec, changed)).ok).toBe(false);
    // the derivation in CGGMP21's first edition
    expect([kept, { ...kept, secret: inRange }].map(library.holdsOwnShares)).toEqual([true, false]);
  });

  it("the library has no function that derives a key from a key", () => {
    expect(Object.keys(library).filter((name) => /deriv|shift|tweak|child|bip32/i.test(name))).toEqual([]);
  });
});
