import { describe, expect, test } from "vitest";
import type { Round, Start } from "../session/round.ts";
import { testParties, testParty } from "./insecure-auxiliary.ts";
import { runLockstep } from "./lockstep.ts";

const parties = testParties(3);

/** A protocol in which each party sends its number to all and twice its number to each, and sums what it receives. */
const addUp =
  (self: number): Start<number> =>
  () => {
    const peers = parties.filter((party) => party !== self);
    const round: Round<number> = {
      number: 1,
      expects: { broadcast: "plain", direct: "plain", payloadBytesMax: 1 },
      advance: (inbox) => {
        const output = peers.reduce(
          (sum, peer) => sum + (inbox.broadcast(peer)[0] ?? 0) + (inbox.direct(peer)[0] ?? 0),
          0,
        );
        return { kind: "output", output };
      },
    };
    const direct = peers.map((to) => ({ to, payload: Uint8Array.of(2 * self) }));
    return { kind: "next", messages: [{ to: "all", payload: Uint8Array.of(self) }, ...direct], round };
  };

const starts = new Map(parties.map((party) => [party, addUp(party)]));

describe("the lock-step driver", () => {
  test("delivers every message to whom it is for", () => {
    const outcomes = runLockstep({ starts });
    expect([...outcomes.values()]).toEqual([15, 12, 9].map((output) => ({ kind: "output", output })));
  });

  test("lets a test change a message for one receiver alone", () => {
    const outcomes = runLockstep({
      starts,
      mutate: ({ from, to, kind, payload }) =>
        from === 3 && to === 1 && kind === "broadcast" ? Uint8Array.of(100) : payload,
    });
    expect([...outcomes.values()]).toEqual([112, 12, 9].map((output) => ({ kind: "output", output })));
  });

  test("says for whom a party waits when a message is lost", () => {
    const outcomes = runLockstep({
      starts,
      mutate: ({ from, payload }) => (from === 2 ? undefined : payload),
    });
    expect(outcomes.get(testParty(1))).toEqual({ kind: "waiting", round: 1, missing: [2] });
    expect(outcomes.get(testParty(2))).toEqual({ kind: "output", output: 12 });
  });

  test("names the sender of a payload above the limit of the round", () => {
    const outcomes = runLockstep({
      starts,
      mutate: ({ from, to, payload }) => (from === 2 && to === 1 ? new Uint8Array(2) : payload),
    });
    expect(outcomes.get(testParty(1))).toEqual({
      kind: "fault",
      accusation: { culprit: 2, check: "payload size" },
    });
  });
});
