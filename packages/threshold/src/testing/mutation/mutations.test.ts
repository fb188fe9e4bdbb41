import { describe, expect, it } from "vitest";
import { fixedBytes } from "../../codec.ts";
import type { Start, Step } from "../../session/round.ts";
import { accuse } from "../../session/steps.ts";
import { type CoinToss, coinOpeningCodec, startCoinToss } from "../coin-toss.ts";
import { bob, carol, tossers } from "../coin-toss-run.ts";
import type { AttackedProtocol } from "./attacked-protocol.ts";
import { mutationsOf } from "./mutations.ts";

const toss: AttackedProtocol<CoinToss> = {
  name: "coin toss",
  parties: tossers,
  cheat: bob,
  attempt: { protocol: "key-generation" }, // any protocol: the session layer is the same for all
  isOwnCheck: () => true,
  start: ({ self }) => startCoinToss({ self, parties: tossers }),
  messages: [
    { round: 1, kind: "broadcast", codec: fixedBytes(32) },
    { round: 2, kind: "broadcast", codec: coinOpeningCodec },
    { round: 2, kind: "direct", codec: fixedBytes(32) },
  ],
  flawOf: (outputs) =>
    new Set([...outputs.values()].map(({ coin }) => coin.join())).size > 1 ? "two coins" : undefined,
};

/** The coin toss with its accusations replaced by another step. */
const insteadOfFaults = (instead: (step: Step<CoinToss>) => Step<CoinToss>): AttackedProtocol<CoinToss> => {
  const bend = (step: Step<CoinToss>): Step<CoinToss> => {
    if (step.kind === "fault") return instead(step);
    if (step.kind !== "next") return step;
    const { round } = step;
    return { ...step, round: { ...round, advance: (inbox, entropy) => bend(round.advance(inbox, entropy)) } };
  };
  const start: AttackedProtocol<CoinToss>["start"] =
    (config): Start<CoinToss> =>
    (entropy) =>
      bend(toss.start(config)(entropy));
  return { ...toss, start };
};

/** The violations that the suite finds for a lie about the coin. */
const foundIn = (protocol: AttackedProtocol<CoinToss>): readonly string[] => {
  const [, mutations] = mutationsOf(protocol).messages.find(([name]) => name === "round 2 broadcast") ?? [];
  const [, violations] = mutations?.find(([name]) => name === "whose coin is wrong") ?? expect.fail();
  return violations();
};

describe("the suite of mutations", () => {
  it("finds nothing in broadcasts whose liars are named", () => {
    const { messages, unaccounted, ending } = mutationsOf(toss);
    const broadcasts = messages.filter(([name]) => name.endsWith(" broadcast"));
    expect(broadcasts).toHaveLength(2);
    const found = broadcasts.flatMap(([, mutations]) => mutations.flatMap(([, violations]) => violations()));
    expect([...found, ...unaccounted, ...ending]).toEqual([]);
  });

  it("finds a field that nobody checks", () => {
    const direct = mutationsOf(toss).messages.find(([name]) => name === "round 2 direct");
    const [, violations] =
      direct?.[1].find(([name]) => name === "whose only value is wrong") ?? expect.fail();
    expect(violations()).toContain("zeros: not named: party 1 ended with output");
  });

  it("reports messages that are not registered, and registered ones that are never sent", () => {
    const [first, second] = toss.messages;
    const third = { round: 3, kind: "direct", codec: fixedBytes(1) } as const;
    const messages = [first, second, third].flatMap((message) => message ?? []);
    expect(mutationsOf({ ...toss, messages }).unaccounted).toEqual([
      "round 2 direct has no codec here",
      "round 3 direct is never sent",
    ]);
  });

  it("finds an honest party that is blamed", () => {
    expect(foundIn(insteadOfFaults(() => accuse(carol, "mistaken")))).toContain(
      "zeros: party 1: blames honest party 3: mistaken",
    );
  });

  it("finds a crash", () => {
    const crash = (): never => {
      throw new Error("out of cheese");
    };
    expect(foundIn(insteadOfFaults(crash))).toContain("zeros: a crash: out of cheese");
  });

  it("finds an abort that names nobody", () => {
    expect(foundIn(insteadOfFaults(() => ({ kind: "abort", check: "something" })))).toContain(
      "zeros: party 1: an abort that names nobody: something",
    );
  });

  it("finds an output despite a lie, and outputs that differ", () => {
    const output = { coin: new Uint8Array(32), pads: new Map() };
    const accepting = insteadOfFaults(() => ({ kind: "output", output }));
    expect(foundIn(accepting)).toContain("zeros: not named: party 1 ended with output");
    const [, mutations] =
      mutationsOf(accepting).messages.find(([name]) => name === "round 2 broadcast") ?? [];
    const [, violations] =
      mutations?.find(([name]) => name === "that party 1 alone gets otherwise") ?? expect.fail();
    expect(violations()).toContain("a wrong output: two coins");
  });
});
