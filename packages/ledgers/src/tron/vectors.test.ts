import { readFileSync } from "node:fs";
import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toJavaTronBase58 } from "./address.ts";
import { javaTronTransactionJson } from "./java-tron/transaction-json.ts";
import { decodeJavaTronTransaction } from "./transaction/decode.ts";
import { encodeJavaTronRawData, encodeJavaTronTransaction } from "./transaction/encode.ts";
import { checkJavaTronSignature } from "./transaction/signature.ts";

const hex = z.string().transform((text) => hexToBytes(text));
const vectorsSchema = z.object({
  signed: z.array(
    z.object({
      id: z.string(),
      unsigned: hex,
      signature: hex,
      netUsage: z.int().optional(),
      contract: z.looseObject({ type: z.string(), from: z.string() }),
    }),
  ),
});

const FILE = new URL("../../../../test/vectors/tron.json", import.meta.url);
const { signed } = vectorsSchema.parse(JSON.parse(readFileSync(FILE, "utf8")));
/** the bytes that a node reserves for the result */
const RESULT_BYTES = 64;

describe.each(signed.map((vector) => [vector.id, vector] as const))(
  "%s of a real network",
  (id, { unsigned, signature, netUsage, contract }) => {
    const decoded = decodeJavaTronTransaction(encodeJavaTronTransaction(unsigned, [signature]));
    if (!decoded.ok) throw new Error(decoded.message);
    const { transaction, size } = decoded.value;

    it("has its id, its kind and its sender, who signed it", () => {
      expect(decoded.value.id).toBe(id);
      expect(transaction.act.type).toBe(contract.type);
      expect(toJavaTronBase58(transaction.owner)).toBe(contract.from);
      expect(checkJavaTronSignature(decoded.value)).toEqual({ ok: true, value: undefined });
    });

    it("is not taken under the signature of other bytes", () => {
      const [first = 0, ...rest] = signature;
      const other = { ...decoded.value, signatures: [Uint8Array.from([first ^ 1, ...rest])] };
      expect(checkJavaTronSignature(other).ok).toBe(false);
    });

    it("uses the bandwidth that its receipt states, and is encoded as it was decoded", () => {
      if (netUsage !== undefined) expect(size + RESULT_BYTES).toBe(netUsage);
      const { act } = transaction;
      if (
        act.type !== "TransferContract" &&
        act.type !== "TransferAssetContract" &&
        act.type !== "TriggerSmartContract"
      ) {
        throw new Error("a node builds none of these");
      }
      expect(encodeJavaTronRawData(transaction, act)).toEqual(unsigned);
      expect(javaTronTransactionJson(decoded.value, true)).toMatchObject({ txID: id });
    });
  },
);
