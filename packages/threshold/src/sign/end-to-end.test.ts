import { createPublicKey, verify } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { concatBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { computeAddress, Signature as EthersSignature, hexlify, recoverAddress } from "ethers";
import { describe, expect, it } from "vitest";
import type { PartyIndex } from "../fault.ts";
import type { Point } from "../group.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import { startKeyGeneration } from "../keygen/keygen.ts";
import { startPresigning } from "../presign/presign.ts";
import { CGGMP24 } from "../scheme.ts";
import type { Start } from "../session/round.ts";
import { insecureAuxiliaryInfo, testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { outputsOf } from "../testing/presigning.ts";
import { testSessionId } from "../testing/session-network.ts";
import { startSigning } from "./sign.ts";
import type { Signature } from "./signature.ts";

const parties = testParties(5);
const signers = [1, 3, 4].map(testParty);
const message = new TextEncoder().encode("pay Bob one ether");
const digest = sha256(message);

const run = <Output>(of: readonly PartyIndex[], startOf: (self: PartyIndex) => Start<Output>) =>
  outputsOf(runLockstep({ starts: new Map(of.map((self) => [self, startOf(self)])), seed: "end to end" }));

const keys = run(parties, (self) =>
  startKeyGeneration({
    session: testSessionId("keygen"),
    self,
    parties,
    threshold: signers.length,
    keyId: "end to end",
    epoch: 0,
    scheme: CGGMP24,
  }),
);
const auxiliaries = insecureAuxiliaryInfo(parties);
const keyOf = (self: PartyIndex): KeyShare => keys.get(self) ?? expect.fail();
const presignatures = run(signers, (self) =>
  startPresigning({
    session: testSessionId("presigning"),
    self,
    signers,
    key: keyOf(self),
    auxiliary: auxiliaries.get(self) ?? expect.fail(),
  }),
);
const signatures = [
  ...run(signers, (self) =>
    startSigning({ self, presignature: presignatures.get(self) ?? expect.fail(), digest }),
  ).values(),
];
const [signature = expect.fail()] = signatures;
const { publicKey } = keyOf(testParty(2)).info; // a party that did not sign also knows the key

const compact = ({ r, s }: Signature): Uint8Array =>
  concatBytes(numberToBytesBE(r, 32), numberToBytesBE(s, 32));

const opensslKey = (point: Point) => {
  const { x, y } = point.toAffine();
  const [px = "", py = ""] = [x, y].map((value) =>
    Buffer.from(numberToBytesBE(value, 32)).toString("base64url"),
  );
  return createPublicKey({ key: { kty: "EC", crv: "secp256k1", x: px, y: py }, format: "jwk" });
};

describe("a key that five parties generate and three sign with, and that never exists as a whole", () => {
  it("signs the same for every signer", () => {
    expect(signatures).toEqual([signature, signature, signature]);
  });

  it("has a signature that OpenSSL takes for the message, and for no other", () => {
    const key = { key: opensslKey(publicKey), dsaEncoding: "ieee-p1363" } as const;
    expect(verify("sha256", message, key, compact(signature))).toBe(true);
    expect(verify("sha256", new TextEncoder().encode("pay Eve"), key, compact(signature))).toBe(false);
  });

  it("has a signature that noble takes, low-S rule and all", () => {
    const options = { prehash: false, lowS: true };
    expect(secp256k1.verify(compact(signature), digest, publicKey.toBytes(), options)).toBe(true);
    expect(secp256k1.verify(compact(signature), sha256(digest), publicKey.toBytes(), options)).toBe(false);
  });

  it("has a recovery id that leads ethers to the address", () => {
    const [r = "", s = ""] = [signature.r, signature.s].map((value) => hexlify(numberToBytesBE(value, 32)));
    const recovered = EthersSignature.from({ r, s, yParity: signature.recovery });
    expect(recoverAddress(hexlify(digest), recovered)).toBe(computeAddress(`0x${publicKey.toHex(true)}`));
  });
});
