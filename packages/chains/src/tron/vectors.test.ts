import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { TronWeb, utils } from "tronweb";
import { describe, expect, it } from "vitest";
import vectors from "../../../../test/vectors/tron.json" with { type: "json" };
import { tronAddressOf } from "./address.ts";
import { signedTron } from "./signed.ts";
import { decodeTron, encodeTron, tronDigest, tronId } from "./transaction.ts";

type Signed = (typeof vectors.signed)[number];

/** Bytes that nodes add for the result in a block. */
const RESULT_BYTES = 64;
const FIRST_WORD = 27;

/** Recovers the signer. A signature is r, s and a last byte, which is 0 or 1, or 27 or 28. */
const recovered = ({ unsigned, signature }: Signed): string => {
  const bytes = hexToBytes(signature);
  const last = bytes[64] ?? 0;
  const parsed = secp256k1.Signature.fromBytes(bytes.slice(0, 64)).addRecoveryBit(
    last >= FIRST_WORD ? last - FIRST_WORD : last,
  );
  return tronAddressOf(parsed.recoverPublicKey(tronDigest(hexToBytes(unsigned))).toBytes(true));
};

const textOf = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "bigint" ? each.toString() : each)));

describe("transactions of the real networks", () => {
  it.each(vectors.signed)("are read as what they are, and written to the same bytes: $id", (signed) => {
    const decoded = decodeTron(hexToBytes(signed.unsigned));
    const draft = decoded.ok ? decoded.value : expect.fail(decoded.problem.message);
    expect(textOf(draft)).toMatchObject({
      contract: signed.contract,
      expirationMs: signed.expiration,
      timestampMs: signed.timestamp,
      feeLimit: signed.feeLimit,
    });
    expect([bytesToHex(encodeTron(draft)), tronId(encodeTron(draft))]).toEqual([signed.unsigned, signed.id]);
  });

  it.each(vectors.signed)(
    "are signed over what is signed here, by the key of their account: $id",
    (signed) => {
      expect(recovered(signed)).toBe(signed.contract.from);
      const bySdk = utils.crypto.ecRecover(signed.id, `0x${signed.signature}`);
      expect(TronWeb.address.fromHex(bySdk)).toBe(signed.contract.from);
    },
  );

  it("take as many bytes as their receipts tell", () => {
    const charged = vectors.signed.filter(({ netUsage }) => netUsage !== undefined);
    expect(charged.length).toBe(2);
    for (const { unsigned, signature, netUsage } of charged) {
      const bytes = signedTron(hexToBytes(unsigned), hexToBytes(signature)).length;
      expect(bytes + RESULT_BYTES).toBe(netUsage);
    }
  });

  it.each(vectors.unread)("INV-3 are not read with $why", ({ unsigned }) => {
    const decoded = decodeTron(hexToBytes(unsigned));
    expect(!decoded.ok && decoded.problem.code).toBe("TransactionUnreadable");
  });
});
