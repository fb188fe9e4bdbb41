import { createHash } from "node:crypto";
import type { SignedForRequest } from "@conclave/cluster";
import { describe, expect, it } from "vitest";
import { judgeSigned } from "./judge-signed.ts";

const OF = 5;
const THRESHOLD = 3;
const [one, other] = [Uint8Array.of(1), Uint8Array.of(2)];
const digestOf = (unsigned: Uint8Array): string => createHash("sha256").update(unsigned).digest("hex");

const says = (...transactions: readonly Uint8Array[]): SignedForRequest => ({
  isBound: transactions.length > 0,
  isWhole: true,
  transactions,
});
const nothing = says();
/** The answer of a signer with a binding by an older version, which kept no bytes. */
const silent: SignedForRequest = { isBound: true, isWhole: false, transactions: [] };

const verdictOn = (
  answers: readonly SignedForRequest[],
  { open = 0, dead = [] }: { readonly open?: number; readonly dead?: readonly Uint8Array[] } = {},
) => {
  const digests = new Set(dead.map(digestOf));
  return judgeSigned({
    answers,
    open,
    of: OF,
    threshold: THRESHOLD,
    remembering: THRESHOLD,
    isDead: (digest) => digests.has(digest),
  });
};
const NOTHING = { kind: "nothing" };
const UNSURE = { kind: "unsure" };
const bytes = (...transactions: readonly Uint8Array[]) => ({
  kind: "bytes",
  transactions,
  others: [],
});

describe("INV-4 the transaction that signers have signed for a request, by their word,", () => {
  it("is nothing once so many say so that no quorum is left among the others", () => {
    expect(verdictOn([nothing, nothing], { open: 3 })).toBeUndefined();
    expect(verdictOn([nothing, nothing, nothing], { open: 2 })).toEqual(NOTHING);
    expect(verdictOn([nothing, nothing])).toEqual(UNSURE);
  });

  it("is nothing where fewer than a quorum can have signed it, whatever liars say", () => {
    expect(verdictOn([says(one), says(one), nothing, nothing, nothing])).toEqual(NOTHING);
    expect(verdictOn([says(one), says(other), nothing, nothing, nothing])).toEqual(NOTHING);
  });

  it("may be what a part of a quorum names while the others are away, or do not know all that they signed", () => {
    expect(verdictOn([says(one), nothing, nothing])).toEqual(UNSURE);
    expect(verdictOn([says(one), says(one), silent, nothing, nothing])).toEqual(UNSURE);
    expect(verdictOn([silent, silent, silent, nothing, nothing])).toEqual(UNSURE);
  });

  it("is what more than may lie name, and no other bytes", () => {
    const quorum = [says(one), says(one), says(one)];
    expect(verdictOn([...quorum, says(other), says(other)])).toEqual({
      ...bytes(one),
      others: [other],
    });
    // when a whole quorum names the bytes, no further answer is needed
    expect(verdictOn(quorum, { open: 2 })).toEqual(bytes(one));
  });

  it("may be others besides, which one signer names", () => {
    expect(verdictOn([says(one), says(one, other), says(one)], { open: 2 })).toEqual({
      ...bytes(one),
      others: [other],
    });
  });

  it("is of several the latest first, and none that is dead", () => {
    const both = [says(one, other), says(one, other), says(one, other)];
    expect(verdictOn(both)).toEqual(bytes(other, one));
    expect(verdictOn(both, { dead: [other] })).toEqual(bytes(one));
    expect(verdictOn([...both, nothing, nothing], { dead: [one, other] })).toEqual(NOTHING);
  });

  it("is of several the latest first by the word of more than may lie, wherever liars put them", () => {
    const foreign = [3, 4].map((byte) => Uint8Array.of(byte));
    const late = says(...foreign, other, one);
    const honest = [says(one, other), says(one, other), says(one, other)];
    for (const answers of [
      [late, late, ...honest],
      [...honest, late, late],
    ]) {
      const verdict = verdictOn(answers);
      expect(verdict?.kind === "bytes" && verdict.transactions).toEqual([other, one]);
    }
  });
});
