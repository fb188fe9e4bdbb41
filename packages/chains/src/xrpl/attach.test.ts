import { ed25519_FROST } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { decode, verifySignature } from "xrpl";
import { testAccount, testEdwardsKey } from "../testing/account.ts";
import { XRPL_DRAFT, XRPL_EDWARDS_DRAFT, XRPL_EDWARDS_KEY, XRPL_KEY } from "../testing/xrpl-samples.ts";
import { attachXrplSignature } from "./attach.ts";
import { xrplAddress, xrplPublicKey } from "./rules/address.ts";
import { encodeXrpl, xrplSignable } from "./transaction.ts";

const unsigned = encodeXrpl(XRPL_DRAFT);
const digest = xrplSignable(unsigned, XRPL_DRAFT).bytes;
const signature = XRPL_KEY.sign(digest);
const keys = [XRPL_KEY.publicKey];
const edwards = encodeXrpl(XRPL_EDWARDS_DRAFT);
const message = xrplSignable(edwards, XRPL_EDWARDS_DRAFT).bytes;
const edwardsSignature = XRPL_EDWARDS_KEY.sign(message);
const edwardsKeys = [XRPL_EDWARDS_KEY.publicKey];
const blobOf = (signed: Uint8Array): string => bytesToHex(signed).toUpperCase();

/** Signs with three of five shares of one key (RFC 9591) by noble's implementation; other tests compare our own FROST with it. */
const signedTogether = () => {
  const frost = ed25519_FROST;
  const dealt = frost.trustedDealer({ min: 3, max: 5 });
  const publicKey = dealt.public.commitments[0] ?? expect.fail("the key is the first commitment");
  const draft = { ...XRPL_DRAFT, signingPubKey: xrplPublicKey(publicKey), from: xrplAddress(publicKey) };
  const bytes = encodeXrpl(draft);
  const signed = xrplSignable(bytes, draft).bytes;
  const quorum = Object.entries(dealt.secretShares).slice(1, 4);
  const parts = quorum.map(([id, secret]) => ({ id, secret, ...frost.commit(secret) }));
  const commitments = parts.map((part) => part.commitments);
  const shares = Object.fromEntries(
    parts.map(({ id, secret, nonces }) => [
      id,
      frost.signShare(secret, dealt.public, nonces, commitments, signed),
    ]),
  );
  return { publicKey, unsigned: bytes, bytes: frost.aggregate(dealt.public, commitments, signed, shares) };
};

describe("attaching a signature", () => {
  it("of a threshold of Ed25519 shares gives what the official SDK verifies", () => {
    const { publicKey, unsigned: bytes, ...made } = signedTogether();
    const attached = attachXrplSignature(
      bytes,
      [{ scheme: "FROST-Ed25519", bytes: made.bytes }],
      [publicKey],
    );
    if (!attached.ok) expect.fail(attached.problem.message);
    expect(verifySignature(blobOf(attached.value.signed))).toBe(true);
  });

  it("of secp256k1 writes DER as short as it can be, with the lower s, of every length", () => {
    const lengths = new Set<number>();
    for (let sequence = 1; sequence <= 60; sequence += 1) {
      const draft = { ...XRPL_DRAFT, sequence };
      const bytes = encodeXrpl(draft);
      const attached = attachXrplSignature(bytes, [XRPL_KEY.sign(xrplSignable(bytes, draft).bytes)], keys);
      if (!attached.ok) expect.fail(attached.problem.message);
      const { TxnSignature } = decode(blobOf(attached.value.signed));
      lengths.add(String(TxnSignature).length / 2);
      if (sequence <= 5) expect(verifySignature(blobOf(attached.value.signed))).toBe(true);
    }
    expect([...lengths].every((length) => length >= 68 && length <= 71)).toBe(true);
    expect(lengths.size).toBeGreaterThan(1);
  });

  it("refuses an s in the upper half, which makes another id of the same payment", () => {
    const high = {
      ...signature,
      s: secp256k1.Point.Fn.ORDER - signature.s,
      recovery: signature.recovery === 0 ? 1 : 0,
    } as const;
    const attached = attachXrplSignature(unsigned, [high], keys);
    expect(!attached.ok && attached.problem.message).toContain("upper half");
  });

  it("refuses a signature of another key or of other bytes, and a malformed one", () => {
    const other = testAccount("0d".repeat(32));
    for (const wrong of [other.sign(digest), XRPL_KEY.sign(new Uint8Array(32)), { ...signature, r: 0n }]) {
      const attached = attachXrplSignature(unsigned, [wrong], keys);
      expect(!attached.ok && attached.problem.code).toBe("Internal");
    }
    const short = { scheme: "FROST-Ed25519", bytes: new Uint8Array(63) } as const;
    const zero = { scheme: "FROST-Ed25519", bytes: new Uint8Array(64) } as const;
    const stranger = testEdwardsKey("0d".repeat(32));
    for (const wrong of [stranger.sign(message), XRPL_EDWARDS_KEY.sign(edwards), short, zero]) {
      const attached = attachXrplSignature(edwards, [wrong], edwardsKeys);
      expect(!attached.ok && attached.problem.code).toBe("Internal");
    }
  });

  it("refuses a key that is not the one that the transaction names", () => {
    const attached = attachXrplSignature(unsigned, [signature], edwardsKeys);
    expect(!attached.ok && attached.problem.message).toContain("SigningPubKey");
  });

  it("refuses no signature, two signatures, another scheme's, and unreadable bytes", () => {
    for (const wrong of [[], [signature, signature], [edwardsSignature]]) {
      expect(attachXrplSignature(unsigned, wrong, keys).ok).toBe(false);
    }
    expect(attachXrplSignature(edwards, [signature], edwardsKeys).ok).toBe(false);
    expect(attachXrplSignature(unsigned, [signature], [...keys, ...keys]).ok).toBe(false);
    expect(attachXrplSignature(Uint8Array.of(0x12), [signature], keys).ok).toBe(false);
    expect(attachXrplSignature(edwards, [edwardsSignature], edwardsKeys).ok).toBe(true);
  });
});
