import { readFileSync } from "node:fs";
import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { merkleRootOf, wireHeader } from "./chain/block.ts";
import { checkSpend } from "./signature/spend.ts";
import { decodeBitcoindTransaction } from "./transaction/decode.ts";
import { wireTransaction } from "./transaction/encode.ts";
import { hashText, twiceSha256 } from "./transaction/identity.ts";
import type { BitcoindSerialisedTransaction } from "./transaction/transaction.ts";

const bytes = z.string().transform((text) => hexToBytes(text));
const vectorSchema = z.object({
  spends: z.array(
    z.object({
      name: z.string(),
      txid: z.string().optional(),
      transaction: bytes,
      spent: z.array(z.object({ script: bytes, amount: z.int().transform(BigInt) })),
      inputs: z.array(z.int()),
    }),
  ),
  headers: z.array(
    z.object({
      hash: z.string(),
      version: z.int(),
      previous: z.string(),
      merkleRoot: z.string(),
      time: z.int(),
      bits: z.int(),
      nonce: z.int(),
      transactions: z.array(z.string()),
    }),
  ),
});

const FILE = new URL("../../../../test/vectors/bitcoin-spends.json", import.meta.url);
const { spends, headers } = vectorSchema.parse(JSON.parse(readFileSync(FILE, "utf8")));

const decoded = (wire: Uint8Array): BitcoindSerialisedTransaction => {
  const transaction = decodeBitcoindTransaction(wire);
  if (transaction === undefined) throw new Error("it is a transaction");
  return transaction;
};

describe.each(spends)("published: $name", ({ transaction: wire, txid, spent, inputs }) => {
  const transaction = decoded(wire);

  it("the decoder reads it, and the encoder gives the same bytes back", () => {
    expect(wireTransaction(transaction)).toEqual(wire);
    if (txid !== undefined) expect(transaction.txid).toBe(txid);
  });

  it.each(inputs)("the signature of input %i is right, by all that a node asks", (at) => {
    expect(checkSpend({ transaction, at, spent }, "standard")).toBe(undefined);
  });

  it.each(inputs)("the signature of input %i is wrong for another lock time", (at) => {
    const other = { ...transaction, lockTime: transaction.lockTime + 1 };
    expect(checkSpend({ transaction: other, at, spent }, "mandatory")).toMatch(
      /false\/empty|Invalid Schnorr/,
    );
  });
});

const hasWitnesses = ({ transaction }: (typeof spends)[number]): boolean =>
  decoded(transaction).inputs.some(({ witness }) => witness.length > 0);

it.each(spends.filter(hasWitnesses))(
  "signatures of SegWit inputs cover the amounts: $name",
  ({ transaction: wire, spent, inputs }) => {
    const transaction = decoded(wire);
    const more = spent.map((output) => ({ ...output, amount: output.amount + 1n }));
    const isCovered = (at: number) => checkSpend({ transaction, at, spent: more }, "mandatory") !== undefined;
    const covered = inputs.filter((at) => transaction.inputs[at]?.witness.length !== 0);
    expect(covered.filter(isCovered)).toEqual(covered);
  },
);

it.each(headers)(
  "the header and the merkle root of block $hash are digested as on the main network",
  (header) => {
    expect(hashText(twiceSha256(wireHeader(header)))).toBe(header.hash);
    expect(merkleRootOf(header.transactions)).toBe(header.merkleRoot);
  },
);
