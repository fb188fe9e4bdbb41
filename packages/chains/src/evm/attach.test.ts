import { secp256k1 } from "@noble/curves/secp256k1.js";
import { Transaction } from "ethers";
import { bytesToHex, keccak256 } from "viem/utils";
import { describe, expect, it } from "vitest";
import { testAccount } from "../testing/account.ts";
import { FEES, NATIVE, RECIPIENT, SEPOLIA, TEST_ADDRESS, TEST_SECRET_KEY } from "../testing/samples.ts";
import { addressOf } from "./address.ts";
import { attachSignature } from "./attach.ts";
import type { RecoverableSignature } from "./recover.ts";
import { buildTransfer } from "./transaction.ts";

const account = testAccount(TEST_SECRET_KEY);
const unsigned = buildTransfer({
  chainId: SEPOLIA.chainId,
  nonce: 0n,
  fees: FEES,
  gasLimit: 21_000n,
  transfer: NATIVE,
});

const sign = (): RecoverableSignature => account.sign(keccak256(unsigned, "bytes"));

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
    const result = attachSignature(unsigned, sign(), TEST_ADDRESS.toLowerCase());
    if (!result.ok) throw new Error(result.problem.message);
    const second = Transaction.from(bytesToHex(result.value.signed));
    expect(second.from).toBe(TEST_ADDRESS);
    expect(second.hash).toBe(result.value.txHash);
    expect(second.unsignedSerialized).toBe(bytesToHex(unsigned));
  });

  it("refuses a high s", () => {
    const { r, s, recovery } = sign();
    const high = secp256k1.Point.Fn.ORDER - s;
    expect(attachSignature(unsigned, { r, s: high, recovery: 1 - recovery }, TEST_ADDRESS).ok).toBe(false);
  });

  it("refuses the wrong parity, whose sender is a stranger", () => {
    const signature = sign();
    expect(
      attachSignature(unsigned, { ...signature, recovery: 1 - signature.recovery }, TEST_ADDRESS).ok,
    ).toBe(false);
  });

  it.each([2, 3, -1, 27])("refuses recovery id %i", (recovery) => {
    expect(attachSignature(unsigned, { ...sign(), recovery }, TEST_ADDRESS).ok).toBe(false);
  });

  it("refuses another wallet's signature", () => {
    expect(attachSignature(unsigned, sign(), RECIPIENT).ok).toBe(false);
  });

  it("refuses an r or s of zero, and one of the order itself", () => {
    const signature = sign();
    const { ORDER } = secp256k1.Point.Fn;
    for (const spoilt of [{ r: 0n }, { s: 0n }, { r: ORDER }, { s: ORDER }]) {
      expect(attachSignature(unsigned, { ...signature, ...spoilt }, TEST_ADDRESS).ok).toBe(false);
    }
  });
});
