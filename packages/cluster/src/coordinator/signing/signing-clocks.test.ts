import { problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { testParties, testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import { START_MS } from "../../testing/fixtures.ts";
import { RIGHT_SIGNATURE, signingConfigOf } from "../../testing/signing-config.ts";
import { SIGNING_ATTEMPT_MS } from "../limits.ts";
import { pairsApart } from "../pairs.ts";
import { isAvoided, type Standings } from "../standings.ts";
import { openSigningCoordinator, type SigningStep, stepSigningCoordinator } from "./signing.ts";

/** The time that honest signers need to presign and sign. */
const NEEDED_MS = 2_000;
const LIAR = testParty(1);
const HONEST = testParties(5).filter((signer) => signer !== LIAR);

/**
 * Signs one request after another, while the liar refuses every deadline by its own clock.
 *
 * @param isNaming whether honest signers wait for each other at the deadline, or are busy
 * @returns the attempts of each request, and the honest signers to which others are preferred
 */
const signAll = (requests: number, liarAheadMs: number, isNaming: boolean) => {
  let nowMs = START_MS;
  let health: Standings = new Map();
  const signOne = (seed: string): number => {
    const config = signingConfigOf(seed);
    let step: SigningStep = openSigningCoordinator(config, { live: testParties(5), health }, nowMs);
    const say = (signer: PartyIndex, session: string, report: SessionReport): void => {
      if (step.state.attempt?.key !== session) return;
      const event = { kind: "report", signer, session: step.state.attempt.key, report } as const;
      step = stepSigningCoordinator(step.state, event, nowMs);
    };
    const refusal = (): SessionReport => ({
      kind: "refusal",
      problem: problem("DeadlineTooFar", { clockMs: nowMs + liarAheadMs }),
    });
    const isDone = (): boolean => step.effects.some(({ kind }) => kind === "done");
    for (let turns = 0; !isDone() && turns < 100; turns++) {
      const { attempt } = step.state;
      if (attempt === undefined) {
        nowMs += 1_000;
        step = stepSigningCoordinator(step.state, { kind: "tick" }, nowMs);
        continue;
      }
      const { key, quorum, signersExpiresAtMs } = attempt;
      if (quorum.includes(LIAR)) say(LIAR, key, refusal());
      const isInTime = signersExpiresAtMs - nowMs >= NEEDED_MS;
      nowMs += Math.min(NEEDED_MS, Math.max(0, signersExpiresAtMs - nowMs));
      for (const signer of quorum) {
        const silent = isNaming ? quorum.filter((peer) => peer !== signer) : [];
        const failure = { kind: "failure", reason: "the deadline passed", silent } as const;
        say(signer, key, isInTime ? { kind: "signed", signatures: [RIGHT_SIGNATURE] } : failure);
      }
    }
    expect(isDone()).toBe(true);
    health = step.state.health;
    return step.state.attempts;
  };
  const attempts = Array.from({ length: requests }, (_, at) => signOne(`clocks/${at}`));
  const avoided = HONEST.filter((signer) => isAvoided(health, signer, nowMs));
  return { attempts, heldAgainst: [...pairsApart(health, HONEST, nowMs), ...avoided] };
};

test.each([
  ["wait for each other", true],
  ["are busy", false],
])(
  "INV-7 a clock by which honest signers have no time costs one session, and them nothing: they %s",
  (_, isNaming) => {
    const { attempts, heldAgainst } = signAll(8, 1_000 - SIGNING_ATTEMPT_MS, isNaming);
    expect(Math.max(...attempts)).toBeLessThanOrEqual(4);
    expect(attempts.filter((count) => count > 2)).toHaveLength(1);
    expect(heldAgainst).toEqual([]);
  },
);
