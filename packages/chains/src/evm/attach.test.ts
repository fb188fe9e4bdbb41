import type { SchemeSignature } from "@conclave/custody";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { Transaction } from "ethers";
import { bytesToHex, keccak256 } from "viem/utils";
import { describe, expect, it } from "vitest";
import { testAccount } from "../testing/account.ts";
import { FEES, NATIVE, SEPOLIA, TEST_ADDRESS, TEST_SECRET_KEY } from "../testing/samples.ts";
import { addressOf } from "./address.ts";
import { attachSignatures } from "./attach.ts";
import { buildTransfer } from "./transaction.ts";

const account = testAccount(TEST_SECRET_KEY);
const unsigned = buildTransfer({
  chainId: SEPOLIA.chainId,
  nonce: 0n,
  fees: FEES,
  gasLimit: 21_000n,
  transfer: NATIVE,
});

type EcdsaSignature = Extract<SchemeSignature, { readonly scheme: "CGGMP24" }>;
const sign = (): EcdsaSignature => account.sign(keccak256(unsigned, "bytes"));
const attach = (signature: EcdsaSignature, key = account.publicKey) =>
  attachSignatures(unsigned, [signature], [key]);
const flipped = (recovery: 0 | 1): 0 | 1 => (recovery === 0 ? 1 : 0);

describe("an address", () => {
  it("is the last 20 bytes of the key's hash, with the EIP-55 checksum", () => {
    expect(addressOf(account.publicKey)).toBe(TEST_ADDRESS);
  });

  it("is not made of bytes that are no key", () => {
    expect(() => addressOf(new Uint8Array(33))).toThrow();
    expect(() => addressOf(new Uint8Array(65))).toThrow(RangeError);
  });
});

describe("attaching a signature", () => {
  it("gives bytes and a hash that ethers reads as the sender's transaction", () => {
    const result = attach(sign());
    if (!result.ok) throw new Error(result.problem.message);
    const second = Transaction.from(bytesToHex(result.value.signed));
    expect(second.from).toBe(TEST_ADDRESS);
    expect(second.hash).toBe(result.value.txHash);
    expect(second.unsignedSerialized).toBe(bytesToHex(unsigned));
  });

  it("refuses a high s", () => {
    const { s, ...signature } = sign();
    const high = secp256k1.Point.Fn.ORDER - s;
    expect(attach({ ...signature, s: high, recovery: flipped(signature.recovery) }).ok).toBe(false);
  });

  it("refuses the wrong parity, whose sender is a stranger", () => {
    const signature = sign();
    expect(attach({ ...signature, recovery: flipped(signature.recovery) }).ok).toBe(false);
  });

  it("refuses another wallet's signature", () => {
    const stranger = testAccount("11".repeat(32));
    expect(attach(sign(), stranger.publicKey).ok).toBe(false);
  });

  it("refuses an r or s of zero, and one of the order itself", () => {
    const signature = sign();
    const { ORDER } = secp256k1.Point.Fn;
    for (const spoilt of [{ r: 0n }, { s: 0n }, { r: ORDER }, { s: ORDER }]) {
      expect(attach({ ...signature, ...spoilt }).ok).toBe(false);
    }
  });

  it("takes one signature of one key, of ECDSA", () => {
    const frost = { scheme: "FROST-Ed25519", bytes: new Uint8Array(64) } as const;
    expect(attachSignatures(unsigned, [], [account.publicKey]).ok).toBe(false);
    expect(attachSignatures(unsigned, [sign(), sign()], [account.publicKey]).ok).toBe(false);
    expect(attachSignatures(unsigned, [sign()], [account.publicKey, account.publicKey]).ok).toBe(false);
    expect(attachSignatures(unsigned, [frost], [account.publicKey]).ok).toBe(false);
  });
});
