import { getTransactionDecoder } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { testEdwardsKey } from "../testing/account.ts";
import { SOLANA_KEY, SOLANA_SENDER, solanaBytes } from "../testing/solana-samples.ts";
import { attachSolanaSignature } from "./attach.ts";
import { messageOf } from "./message/message.ts";

const unsigned = Uint8Array.from(Buffer.from(solanaBytes().slice(2), "hex"));
const keys = [SOLANA_KEY.publicKey];
const signature = SOLANA_KEY.sign(messageOf(unsigned));
const other = testEdwardsKey("17".repeat(32));

describe("a signature put into its transaction", () => {
  it("is read and verified by the chain's own library, and names the transaction", async () => {
    const attached = attachSolanaSignature(unsigned, [signature], keys);
    if (!attached.ok || signature.scheme === "CGGMP24") expect.fail("it is attached");
    const { signatures, messageBytes } = getTransactionDecoder().decode(attached.value.signed);
    expect(signatures[Object.keys(signatures)[0] as keyof typeof signatures]).toEqual(signature.bytes);
    const key = await crypto.subtle.importKey("raw", Uint8Array.from(SOLANA_KEY.publicKey), "Ed25519", true, [
      "verify",
    ]);
    const bytes = Uint8Array.from(signature.bytes);
    expect(await crypto.subtle.verify("Ed25519", key, bytes, Uint8Array.from(messageBytes))).toBe(true);
    expect(Object.keys(signatures)).toEqual([SOLANA_SENDER]);
    expect(attached.value.txHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
  });

  it.each([
    ["of another key", [other.sign(messageOf(unsigned))], keys],
    ["of other bytes", [SOLANA_KEY.sign(unsigned)], keys],
    ["of a key that is not the signer's", [other.sign(messageOf(unsigned))], [other.publicKey]],
    ["of two keys", [signature, signature], keys],
    ["that is none", [], keys],
    ["that is no point", [{ scheme: "FROST-Ed25519", bytes: new Uint8Array(64).fill(0xff) } as const], keys],
    ["of another scheme", [{ scheme: "CGGMP24", r: 1n, s: 1n, recovery: 0 } as const], keys],
  ])("is refused when it is one %s", (_, signatures, of) => {
    const attached = attachSolanaSignature(unsigned, signatures, of);
    expect(!attached.ok && attached.problem.code).toBe("Internal");
  });
});
