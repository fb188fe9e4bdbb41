import { createPublicKey, verify } from "node:crypto";
import { Keypair, Transaction } from "@stellar/stellar-sdk";
import { describe, expect, it } from "vitest";
import { testAccount, testEdwardsKey } from "../testing/account.ts";
import { STELLAR_KEY, STELLAR_TESTNET, STELLAR_TRUSTLINE } from "../testing/stellar-samples.ts";
import { signedTogether } from "../testing/threshold-signature.ts";
import { attachStellarSignature } from "./attach.ts";
import { stellarAddress } from "./rules/address.ts";
import { signedStellar, unsignedStellar } from "./signed.ts";
import { encodeStellar, stellarHash } from "./transaction.ts";

const { passphrase } = STELLAR_TESTNET;
const unsigned = encodeStellar(STELLAR_TRUSTLINE);
const signature = STELLAR_KEY.sign(stellarHash(passphrase, unsigned));
const { publicKey } = STELLAR_KEY;
const other = testEdwardsKey("0d".repeat(32));

const codeOf = (...given: Parameters<typeof attachStellarSignature>): string => {
  const attached = attachStellarSignature(...given);
  return attached.ok ? "ok" : attached.problem.code;
};

describe("a threshold signature", () => {
  it("is one of the account of the shared key, which OpenSSL accepts over what the SDK says is signed", () => {
    let signing: Uint8Array = new Uint8Array();
    const { publicKey: shared, bytes } = signedTogether((key) => {
      signing = encodeStellar({ ...STELLAR_TRUSTLINE, from: stellarAddress(key) });
      return stellarHash(passphrase, signing);
    });
    const attached = attachStellarSignature(
      signing,
      [{ scheme: "FROST-Ed25519", bytes }],
      [shared],
      STELLAR_TESTNET,
    );
    if (!attached.ok) expect.fail(attached.problem.message);
    const theirs = new Transaction(Buffer.from(attached.value.signed).toString("base64"), passphrase);
    expect(theirs.source).toBe(stellarAddress(shared));
    const x = Keypair.fromPublicKey(theirs.source).rawPublicKey().toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const [sig] = theirs.signatures;
    expect(verify(null, theirs.hash(), key, sig?.signature() ?? Buffer.alloc(0))).toBe(true);
  });
});

describe("a signature of the wallet's key", () => {
  it("is put into its transaction, which keeps all other bytes", () => {
    const attached = attachStellarSignature(unsigned, [signature], [publicKey], STELLAR_TESTNET);
    if (!attached.ok || signature.scheme === "CGGMP24") expect.fail("it is attached");
    expect(attached.value.signed).toEqual(signedStellar(unsigned, signature.bytes, publicKey));
    expect(unsignedStellar(attached.value.signed)).toEqual(unsigned);
    expect(attached.value.txHash).toBe(Buffer.from(stellarHash(passphrase, unsigned)).toString("hex"));
  });
});

describe("a signature that is put into no transaction", () => {
  it("is a signature of another key, of other bytes, or for another chain", () => {
    const hash = stellarHash(passphrase, unsigned);
    expect(codeOf(unsigned, [other.sign(hash)], [publicKey], STELLAR_TESTNET)).toBe("Internal");
    expect(codeOf(unsigned, [signature], [other.publicKey], STELLAR_TESTNET)).toBe("Internal");
    const dearer = encodeStellar({ ...STELLAR_TRUSTLINE, fee: 101n });
    expect(codeOf(dearer, [signature], [publicKey], STELLAR_TESTNET)).toBe("Internal");
    expect(codeOf(unsigned, [signature], [publicKey], { passphrase: "another" })).toBe("Internal");
    expect(codeOf(unsigned, [STELLAR_KEY.sign(unsigned)], [publicKey], STELLAR_TESTNET)).toBe("Internal");
  });

  it("is one too many or too few, one of ECDSA, or one without a network", () => {
    expect(codeOf(unsigned, [], [publicKey], STELLAR_TESTNET)).toBe("Internal");
    expect(codeOf(unsigned, [signature, signature], [publicKey], STELLAR_TESTNET)).toBe("Internal");
    expect(codeOf(unsigned, [signature], [], STELLAR_TESTNET)).toBe("Internal");
    expect(codeOf(unsigned, [signature], [publicKey, publicKey], STELLAR_TESTNET)).toBe("Internal");
    const ecdsa = testAccount("0c".repeat(32)).sign(stellarHash(passphrase, unsigned));
    expect(codeOf(unsigned, [ecdsa], [publicKey], STELLAR_TESTNET)).toBe("Internal");
    expect(codeOf(unsigned, [signature], [publicKey])).toBe("Internal");
  });

  it("is one for bytes that nobody reads", () => {
    expect(codeOf(unsigned.slice(1), [signature], [publicKey], STELLAR_TESTNET)).toBe(
      "TransactionUnreadable",
    );
  });
});
