import { describe, expect, it } from "vitest";
import { insecureAuxiliaryInfo, testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import {
  fillMaskStore,
  isFull,
  MASKED_RUNS_MAX,
  type MaskStore,
  masksHeld,
  openMaskStore,
  takeMasks,
} from "./mask-store.ts";
import { MASKS_PER_PEER } from "./masks.ts";

const self = testParty(1);
const auxiliary = insecureAuxiliaryInfo(testParties(3)).get(self) ?? expect.fail();
const entropy = seededEntropy("mask store");
const PER_RUN = 2 * 2 * MASKS_PER_PEER; // two peers, two kinds

const filled = (store: MaskStore): readonly MaskStore[] => {
  const stages = [store];
  for (let last = store; !isFull(last); stages.push(last)) last = fillMaskStore(last, entropy);
  return stages;
};
const stages = filled(openMaskStore(auxiliary));
const full = stages.at(-1) ?? expect.fail();

describe("a store of masks", () => {
  it("is filled one thing at a time, up to a limit", () => {
    expect(masksHeld(full)).toBe(MASKED_RUNS_MAX * PER_RUN);
    expect(full.commitments.length).toBe(MASKED_RUNS_MAX);
    expect(full.coldModuli).toEqual([]);
    const steps = stages.slice(1).map((stage, at) => masksHeld(stage) - masksHeld(stages[at] ?? stage));
    expect(Math.max(...steps)).toBe(1);
    expect(fillMaskStore(full, entropy)).toBe(full);
  });

  it("warms every modulus of a presigning before it makes anything", () => {
    const { paillier, pedersen } = auxiliary.own.reveal();
    const own = [paillier.factors.pSquared, paillier.factors.q, pedersen.factors.p];
    const theirs = [2, 3].flatMap((index) => {
      const peer = auxiliary.peers.get(testParty(index)) ?? expect.fail();
      return [peer.paillier.n, peer.paillier.nSquared, peer.pedersen.n];
    });
    const [cold = expect.fail()] = stages;
    expect(cold.coldModuli).toEqual(expect.arrayContaining([...own, ...theirs]));
    const warm = stages.findIndex((stage) => stage.coldModuli.length === 0);
    expect(stages.slice(0, warm + 1).map(masksHeld)).toEqual(stages.slice(0, warm + 1).map(() => 0));
  });

  it("is filled for one presigning with some of its peers, when the demand is no more", () => {
    const [, other] = testParties(3);
    const demand = { peers: [other ?? expect.fail(), testParty(9)], runs: 1 };
    const warm = { ...openMaskStore(auxiliary), coldModuli: [] };
    expect([isFull(warm, demand), isFull(full, demand)]).toEqual([false, true]);
    let store: MaskStore = warm;
    while (!isFull(store, demand)) store = fillMaskStore(store, entropy, demand);
    expect(store.commitments.length).toBe(1);
    expect(masksHeld(store)).toBe(2 * MASKS_PER_PEER);
    expect(fillMaskStore(store, entropy, demand)).toBe(store);
  });

  it("has all of one presigning with every peer before anything of the next", () => {
    const one = stages.find((stage) => masksHeld(stage) === PER_RUN) ?? expect.fail();
    const { masks } = takeMasks(one, testParties(3));
    expect(
      [...masks.peers.values()].map(({ proofs, conversions }) => [proofs.length, conversions.length]),
    ).toEqual([
      [MASKS_PER_PEER, MASKS_PER_PEER],
      [MASKS_PER_PEER, MASKS_PER_PEER],
    ]);
    expect(masks.commitments).toBeDefined();
  });

  it("INV-2 gives each mask away once", () => {
    const signers = [self, testParty(2)];
    const first = takeMasks(full, signers);
    const second = takeMasks(first.store, signers);
    const third = takeMasks(second.store, signers);
    const [a, b, c] = [first, second, third].map(({ masks }) => [
      masks.commitments,
      ...[...masks.peers.values()].flatMap(({ proofs, conversions }) => [...proofs, ...conversions]),
    ]);
    expect(new Set([...(a ?? []), ...(b ?? [])]).size).toBe(2 * (1 + 2 * MASKS_PER_PEER));
    expect(c).toEqual([undefined]); // missing masks are made during the run
    expect(masksHeld(third.store)).toBe(MASKED_RUNS_MAX * 2 * MASKS_PER_PEER); // the masks of the peer that did not sign
  });

  it("fills up again with what was taken", () => {
    const { store } = takeMasks(full, testParties(3));
    expect(isFull(store)).toBe(false);
    expect(masksHeld(filled(store).at(-1) ?? store)).toBe(MASKED_RUNS_MAX * PER_RUN);
  });
});
