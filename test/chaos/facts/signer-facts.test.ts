import { describe, expect, it } from "vitest";
import { readKeys, type SignerStore, signerFacts } from "./signer-facts.ts";

const ORDER = 7_919n;
const SECRET = 42n;

const modulo = (value: bigint): bigint => ((value % ORDER) + ORDER) % ORDER;
const inverse = (value: bigint): bigint => {
  let power = 1n;
  for (let at = 0n; at < ORDER - 2n; at += 1n) power = modulo(power * value);
  return power;
};
const coefficients = (parties: readonly number[]): readonly bigint[] =>
  parties.map((party) =>
    parties
      .filter((other) => other !== party)
      .reduce((all, other) => modulo(all * BigInt(other) * inverse(modulo(BigInt(other - party)))), 1n),
  );

/** Shares on a line: any two give the secret. @param wrong index of a signer whose share is of another line */
const storesOf = (signers: number, wrong?: number): readonly SignerStore[] =>
  Array.from({ length: signers }, (_, at): SignerStore => {
    const party = at + 1;
    const secret = modulo(SECRET + 11n * BigInt(party) + (party === wrong ? 1n : 0n));
    const share = { keyId: "key-1", party, isEcdsa: true, secret, curveOrder: ORDER, coefficients };
    return { index: party, shares: [share], presignatures: [], spent: [], ofStock: [], auxiliary: [] };
  });

const isOne = (stores: readonly SignerStore[]): readonly boolean[] =>
  readKeys(stores, 2).keys.map((key) => key.isOne);

it("INV-2 a signer's spent presignatures are those of all its stores, and it has forgotten those that the last one lacks", () => {
  const store = (...ofStock: readonly string[]): SignerStore => ({
    index: 2,
    shares: [],
    presignatures: [],
    spent: ofStock.map((id) => ({ id, digest: `of ${id}`, requestId: "xfr-1" })),
    ofStock,
    auxiliary: [],
  });
  const other = { ...store("p9"), index: 3 };
  const [facts] = signerFacts([store("p1", "p4")], new Map(), [store("p1", "p2"), store("p2", "p3"), other]);
  expect(facts?.spent.map(({ id }) => id)).toEqual(["p1", "p4", "p1", "p2", "p2", "p3"]);
  expect(facts?.forgotten).toEqual(["p2", "p3"]);
});

describe("INV-1 the shares of a key", () => {
  it.each([2, 3, 4, 5, 7])("of %i signers, two of which sign, give one key", (signers) => {
    expect(isOne(storesOf(signers))).toEqual([true]);
  });

  it.each([1, 2, 3, 4, 5])("give two when signer %i of five has one of another key", (wrong) => {
    expect(isOne(storesOf(5, wrong))).toEqual([false]);
  });
});
