import { createPublicKey, verify } from "node:crypto";
import { decodeSignedTransaction } from "algosdk";
import { describe, expect, it } from "vitest";
import { testAccount, testEdwardsKey } from "../testing/account.ts";
import {
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
} from "../testing/algorand-samples.ts";
import { signedTogether } from "../testing/threshold-signature.ts";
import { attachAlgorandSignature } from "./attach.ts";
import { algorandAddress } from "./rules/address.ts";
import { signedId } from "./signed.ts";
import { type AlgorandDraft, algorandId, bytesToSign, encodeAlgorand } from "./transaction.ts";

const { genesisId, genesisHash } = ALGORAND_TESTNET;
const DRAFT: AlgorandDraft = {
  from: ALGORAND_SENDER,
  fee: 1_000n,
  firstValid: 100n,
  lastValid: 300n,
  genesisId,
  genesisHash,
  lease: undefined,
  payment: { type: "pay", to: ALGORAND_RECIPIENT, amount: 5n },
};
const unsigned = encodeAlgorand(DRAFT);
const signature = ALGORAND_KEY.sign(bytesToSign(unsigned));
const other = testEdwardsKey("0d".repeat(32));

describe("a threshold signature", () => {
  it("is one of the account of the shared key, which OpenSSL accepts over what the SDK says is signed", () => {
    let unsigned: Uint8Array = new Uint8Array();
    const { publicKey, bytes } = signedTogether((key) => {
      unsigned = encodeAlgorand({ ...DRAFT, from: algorandAddress(key) });
      return bytesToSign(unsigned);
    });
    const attached = attachAlgorandSignature(unsigned, [{ scheme: "FROST-Ed25519", bytes }], [publicKey]);
    if (!attached.ok) expect.fail(attached.problem.message);
    const { txn, sig = new Uint8Array(), sgnr } = decodeSignedTransaction(attached.value.signed);
    expect([txn.sender.toString(), sgnr]).toEqual([algorandAddress(publicKey), undefined]);
    const x = Buffer.from(txn.sender.publicKey).toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    expect(verify(null, txn.bytesToSign(), key, sig)).toBe(true);
  });
});

describe("attaching a signature", () => {
  it("gives the bytes to broadcast, and the id that they keep", () => {
    const attached = attachAlgorandSignature(unsigned, [signature], [ALGORAND_KEY.publicKey]);
    if (!attached.ok) expect.fail(attached.problem.message);
    expect(attached.value.txHash).toBe(algorandId(unsigned));
    expect(signedId(attached.value.signed)).toBe(attached.value.txHash);
  });

  it("names the signing key if the sender's account was rekeyed to it", () => {
    const theirs = other.sign(bytesToSign(unsigned));
    const attached = attachAlgorandSignature(unsigned, [theirs], [other.publicKey]);
    if (!attached.ok) expect.fail(attached.problem.message);
    const { sgnr, txn } = decodeSignedTransaction(attached.value.signed);
    expect([sgnr?.toString(), txn.txID()]).toEqual([algorandAddress(other.publicKey), attached.value.txHash]);
    expect(signedId(attached.value.signed)).toBe(attached.value.txHash);
  });

  it("refuses a signature of another key or of other bytes, and a malformed one", () => {
    const keys = [ALGORAND_KEY.publicKey];
    const short = { scheme: "FROST-Ed25519", bytes: new Uint8Array(63) } as const;
    const zero = { scheme: "FROST-Ed25519", bytes: new Uint8Array(64) } as const;
    for (const wrong of [other.sign(bytesToSign(unsigned)), ALGORAND_KEY.sign(unsigned), short, zero]) {
      const attached = attachAlgorandSignature(unsigned, [wrong], keys);
      expect(!attached.ok && attached.problem.code).toBe("Internal");
    }
  });

  it("refuses no signature, two signatures, another scheme's, and unreadable bytes", () => {
    const keys = [ALGORAND_KEY.publicKey];
    const ecdsa = testAccount("01".repeat(32)).sign(new Uint8Array(32));
    for (const wrong of [[], [signature, signature], [ecdsa]]) {
      expect(attachAlgorandSignature(unsigned, wrong, keys).ok).toBe(false);
    }
    expect(attachAlgorandSignature(unsigned, [signature], [...keys, ...keys]).ok).toBe(false);
    expect(attachAlgorandSignature(Uint8Array.of(0x80), [signature], keys).ok).toBe(false);
  });
});
