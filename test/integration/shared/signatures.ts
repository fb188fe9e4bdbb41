import { createPublicKey, verify } from "node:crypto";
import { type ApiWallet, waitUntil } from "@conclave/testbed";
import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { Transaction } from "ethers";
import { recoverTransactionAddress, serializeTransaction, verifyMessage, verifyTypedData } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { kindsOf, readEvents } from "../event-stream.ts";
import { makeFundedWallet } from "../funded-wallet.ts";
import { PATIENCE_MS } from "../patience.ts";
import { cluster } from "./shared-cluster.ts";

const HASH = `0x${"5a".repeat(32)}`;
const hex = z.templateLiteral(["0x", z.string().regex(/^[0-9a-f]*$/)]);
const type2 = z.templateLiteral(["0x02", z.string().regex(/^[0-9a-f]*$/)]);
const signedSchema = z.object({
  id: z.string(),
  status: z.literal("Signed"),
  signature: z.object({ r: hex, s: hex, recid: z.int().optional(), encoded: hex }),
  signedData: type2.optional(),
});
const keySchema = z.object({ id: z.string(), publicKey: z.string() });

let wallet: ApiWallet;

const ask = async (path: string, body: unknown) => {
  const answer = await cluster.api.send("POST", path, body);
  return signedSchema.parse(answer.body);
};
const byWallet = (body: object) => ask(`/wallets/${wallet.id}/signatures`, body);

const makeKey = async (scheme: string, curve: string) => {
  const { body } = await cluster.api.sendUntilServed("POST", "/keys", { scheme, curve });
  const { id, publicKey } = keySchema.parse(body);
  return { path: `/keys/${id}/signatures`, publicKey: Buffer.from(publicKey, "hex") };
};

const TYPED = {
  types: {
    Person: [
      { name: "name", type: "string" },
      { name: "wallets", type: "address[]" },
    ],
    Mail: [
      { name: "from", type: "Person" },
      { name: "amount", type: "uint256" },
    ],
  },
  domain: { name: "Ether Mail", version: "1", chainId: 11_155_111 },
  message: { from: { name: "Cow", wallets: [`0x${"c0".repeat(20)}`] }, amount: "1000000000000000000000" },
} as const;

export const signatures = (): void => {
  describe("signatures", () => {
    beforeAll(async () => {
      wallet = await makeFundedWallet(cluster);
    });

    describe("signatures of an ECDSA wallet", () => {
      it("over a message is what the wallet's address signed, and is announced twice", async () => {
        const { id, signature } = await byWallet({ kind: "Message", message: "0x48656c6c6f" });
        const address = hex.parse(wallet.address.toLowerCase());
        expect(await verifyMessage({ address, message: "Hello", signature: signature.encoded })).toBe(true);
        const kinds = await waitUntil(
          async () => {
            const reported = kindsOf(await readEvents(cluster.layout), id);
            return reported.length >= 2 ? reported : undefined;
          },
          { what: "two events", deadlineMs: PATIENCE_MS, pollMs: 50 },
        );
        expect(kinds).toEqual(["wallet.signature.requested", "wallet.signature.signed"]);
      });

      it("over typed data is what the wallet's address signed", async () => {
        const { signature } = await byWallet({ kind: "Eip712", ...TYPED });
        const address = hex.parse(wallet.address.toLowerCase());
        const typed = {
          ...TYPED,
          primaryType: "Mail",
          message: { ...TYPED.message, amount: BigInt(TYPED.message.amount) },
        } as const;
        expect(await verifyTypedData({ ...typed, address, signature: signature.encoded })).toBe(true);
      });

      it("over typed data so long that the gateway's thread reads it is what the wallet's address signed", async () => {
        const wallets = Array.from({ length: 64 }, () => TYPED.message.from.wallets[0]);
        const from = { ...TYPED.message.from, wallets };
        const asked = { ...TYPED, message: { ...TYPED.message, from } };
        const { signature } = await byWallet({ kind: "Eip712", ...asked });
        const address = hex.parse(wallet.address.toLowerCase());
        const typed = {
          ...asked,
          primaryType: "Mail",
          message: { from, amount: BigInt(TYPED.message.amount) },
        } as const;
        expect(await verifyTypedData({ ...typed, address, signature: signature.encoded })).toBe(true);
      });

      it("over a transaction comes with the whole of it, as a node would take it", async () => {
        const unsigned = serializeTransaction({
          type: "eip1559",
          chainId: 11_155_111,
          nonce: 7,
          gas: 60_000n,
          maxFeePerGas: 2_000_000_000n,
          maxPriorityFeePerGas: 1n,
          to: `0x${"c0".repeat(20)}`,
          data: "0xdeadbeef",
        });
        const { signedData } = await byWallet({ kind: "Transaction", transaction: unsigned });
        const serializedTransaction = type2.parse(signedData);
        expect(await recoverTransactionAddress({ serializedTransaction })).toBe(wallet.address);
        expect(Transaction.from(serializedTransaction).unsignedSerialized).toBe(unsigned);
      });
    });

    describe("signatures of keys of FROST", () => {
      it("by Ed25519 are over the very message, and over a hash as one", async () => {
        const { path, publicKey } = await makeKey("EdDSA", "ed25519");
        const key = createPublicKey({
          key: { kty: "OKP", crv: "Ed25519", x: publicKey.toString("base64url") },
          format: "jwk",
        });
        const message = await ask(path, { kind: "Message", message: "0x48656c6c6f" });
        const hash = await ask(path, { kind: "Hash", hash: HASH });
        const bytes = ({ signature }: typeof message) => Buffer.from(signature.encoded.slice(2), "hex");
        expect(verify(null, Buffer.from("Hello"), key, bytes(message))).toBe(true);
        expect(verify(null, Buffer.from(HASH.slice(2), "hex"), key, bytes(hash))).toBe(true);
      });

      it("by Taproot are over a hash, under the key that is tweaked with the script tree of the request", async () => {
        const { path, publicKey } = await makeKey("Schnorr", "secp256k1");
        const x = publicKey.subarray(1);
        /** BIP-341's tweak, computed by noble alone */
        const tweakedKey = (root: Uint8Array): Uint8Array => {
          const tweak = BigInt(
            `0x${Buffer.from(schnorr.utils.taggedHash("TapTweak", x, root)).toString("hex")}`,
          );
          const internal = schnorr.utils.lift_x(BigInt(`0x${x.toString("hex")}`));
          return internal.add(secp256k1.Point.BASE.multiply(tweak)).toBytes(true).slice(1);
        };
        for (const root of ["", `0x${"5b".repeat(32)}`]) {
          const { signature } = await ask(path, { kind: "Hash", hash: HASH, taprootMerkleRoot: root });
          const bytes = Buffer.from(signature.encoded.slice(2), "hex");
          const key = tweakedKey(Buffer.from(root.slice(2), "hex"));
          expect(schnorr.verify(bytes, Buffer.from(HASH.slice(2), "hex"), key)).toBe(true);
        }
      });
    });
  });
};
