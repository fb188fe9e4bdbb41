import { ed25519 } from "@noble/curves/ed25519.js";
import { base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import vectors from "../../../../test/vectors/solana.json" with { type: "json" };
import { attachSolanaSignature, solanaId } from "./attach.ts";
import { messageOf, signatureIn } from "./message/message.ts";
import { solanaPublicKey } from "./rules/address.ts";
import { decodeSolana } from "./transaction.ts";

/** The unsigned form of a signed transaction. */
const unsignedOf = (signed: Uint8Array): Uint8Array => {
  const unsigned = Uint8Array.from(signed);
  return unsigned.fill(0, 1, 1 + signatureIn(signed).length);
};

/** The value with its amounts as digits, as in JSON. */
const digits = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? each.toString() : each)));

describe.each([...vectors.landed, ...vectors.signed])("a transaction that others signed, $id", (vector) => {
  const { id, from, blockhash, instructions } = vector;
  const signed = base58.decode(vector.transaction);
  const decoded = decodeSolana(unsignedOf(signed));

  it("is read as what it is", () => {
    expect(digits(decoded)).toEqual({ ok: true, value: { from, blockhash, instructions } });
  });

  it("is signed over the bytes that are signed here, and has the id that the network shows", () => {
    const key = solanaPublicKey(from);
    expect(ed25519.verify(signatureIn(signed), messageOf(unsignedOf(signed)), key)).toBe(true);
    expect(solanaId(signed)).toBe(id);
    const signature = { scheme: "FROST-Ed25519", bytes: signatureIn(signed) } as const;
    expect(attachSolanaSignature(unsignedOf(signed), [signature], [key])).toEqual({
      ok: true,
      value: { signed: Uint8Array.from(signed), txHash: id },
    });
  });
});

describe("a transaction of others that is not read", () => {
  it.each(vectors.refused)("is one with $what", ({ transaction, why }) => {
    const decoded = decodeSolana(unsignedOf(base58.decode(transaction)));
    expect(!decoded.ok && decoded.problem.message).toContain(why);
  });
});
