import {
  auxiliaryInfoCodec,
  CGGMP24,
  encode,
  keyShareCodec,
  masksHeld,
  type PartyIndex,
  Secret,
} from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS as parameters } from "@conclave/threshold/insecure-test-parameters";
import {
  insecureAuxiliaryInfo,
  insecureKeyShares,
  insecurePartySecrets,
  insecurePeerKeys,
  seededEntropy,
  testParties,
  testParty,
} from "@conclave/threshold/testing";
import { describe, expect, it } from "vitest";
import { type SessionKey, sessionKey } from "../control/session-key.ts";
import { isIdle, prepareFor, workAhead, workBefore } from "./ahead.ts";
import { compute, openHost } from "./host.ts";
import { type Computed, drop, type Host } from "./host-state.ts";

const parties = testParties(3);
const signers = [testParty(1), testParty(2)];
const entropy = seededEntropy("ahead");
const HELD_MAX = 16; // two presignings with two peers, four masks each

const auxiliaryOf = (self: PartyIndex, epoch = 1): Secret<Uint8Array> =>
  new Secret(
    encode(
      auxiliaryInfoCodec(parameters),
      insecureAuxiliaryInfo(parties, epoch).get(self) ?? expect.fail("no such party"),
    ),
  );
const shareOf = (self: PartyIndex): Secret<Uint8Array> => {
  const share = insecureKeyShares(2, parties).get(self) ?? expect.fail("no such party");
  return new Secret(encode(keyShareCodec(CGGMP24), share));
};
const freshHost = (self: PartyIndex): Host =>
  openHost({
    self,
    parameters,
    peers: new Map(parties.map((party) => [party, insecurePeerKeys(party)])),
    secrets: new Secret(insecurePartySecrets(self)),
  });
const fill = (host: Host): Host => (isIdle(host) ? fill(workAhead(host, entropy)) : host);
const held = ({ masks }: Host): number => (masks === undefined ? 0 : masksHeld(masks));
const sessionOf = (byte: number): SessionKey =>
  sessionKey(new Uint8Array(32).fill(byte)) ?? expect.fail("no session");

const [self, peer] = [testParty(1), testParty(2)];
const full = fill(prepareFor(freshHost(self), auxiliaryOf(self)));
const openPresigning = (
  host: Host,
  session: SessionKey,
  epoch = 1,
  purpose: "request" | "pool" = "request",
): Computed => {
  const { self: party } = host.config;
  const task = { key: shareOf(party), auxiliary: auxiliaryOf(party, epoch), signers } as const;
  return compute(host, session, { kind: "open-presigning", purpose, ...task }, entropy);
};

/** Carries envelopes between hosts until none is left; returns the last result of each. */
const talk = (session: SessionKey, opened: ReadonlyMap<PartyIndex, Computed>) => {
  const hosts = new Map([...opened].map(([party, { host }]) => [party, host]));
  const last = new Map([...opened].map(([party, { result }]) => [party, result.kind]));
  const waiting = [...opened.values()].flatMap(({ result }) => ("send" in result ? result.send : []));
  for (let envelope = waiting.shift(); envelope !== undefined; envelope = waiting.shift()) {
    for (const [party, host] of hosts) {
      if (envelope.from === party || (envelope.to !== 0 && envelope.to !== party)) continue;
      const computed = compute(host, session, { kind: "deliver", envelope }, entropy);
      hosts.set(party, computed.host);
      last.set(party, computed.result.kind);
      if ("send" in computed.result) waiting.push(...computed.result.send);
    }
  }
  return last;
};

describe("a host that has nothing to do", () => {
  it("makes masks up to a limit, and then no more", () => {
    expect(held(full)).toBe(HELD_MAX);
    expect(isIdle(full)).toBe(false);
    expect(held(workAhead(full, entropy))).toBe(HELD_MAX);
  });

  it("makes none before it knows for which moduli, and none while a session is open", () => {
    const host = freshHost(self);
    expect(isIdle(host)).toBe(false);
    expect(held(workAhead(host, entropy))).toBe(0);
    const busy = openPresigning(prepareFor(host, auxiliaryOf(self)), sessionOf(1)).host;
    expect(isIdle(busy)).toBe(false);
    expect(isIdle(drop(busy, sessionOf(1)))).toBe(true);
  });

  it("P6 drops its masks when it gets auxiliary info, also when it gets the same again", () => {
    expect(held(prepareFor(full, auxiliaryOf(self)))).toBe(0);
    expect(held(prepareFor(full, auxiliaryOf(self, 2)))).toBe(0);
  });
});

describe("a presigning in a host with masks", () => {
  const session = sessionOf(4);
  const first = openPresigning(full, session);
  const second = openPresigning(first.host, sessionOf(2));
  const third = openPresigning(second.host, sessionOf(3));

  it("INV-2 takes what it uses, and no other session gets it", () => {
    expect([first, second].map(({ host }) => held(host))).toEqual([HELD_MAX - 4, HELD_MAX - 8]);
    expect(held(third.host)).toBe(HELD_MAX - 8); // made now, not taken from the store
    expect(third.result.kind).toBe("running");
  });

  it("ends as it does without, whichever of the signers has masks", () => {
    const opened = new Map([
      [self, first],
      [peer, openPresigning(freshHost(peer), session)],
    ]);
    expect([...talk(session, opened).values()]).toEqual(["presigned", "presigned"]);
  });

  it("leaves them for a request when it is for the pool", () => {
    const { host, result } = openPresigning(second.host, sessionOf(6), 1, "pool");
    expect(held(host)).toBe(held(second.host));
    expect(result.kind).toBe("running");
  });

  it("INV-2 makes those of the pool piece by piece before it begins, and each serves once", () => {
    const key = shareOf(self);
    const task = { kind: "open-presigning", key, auxiliary: auxiliaryOf(self), signers } as const;
    const before = (host: Host): readonly Host[] => {
      const next = workBefore(host, { ...task, purpose: "pool" }, entropy);
      return next === undefined ? [host] : [host, ...before(next)];
    };
    const stages = before(freshHost(self));
    const heldForPool = stages.map(({ poolMasks }) => (poolMasks === undefined ? 0 : masksHeld(poolMasks)));
    expect(heldForPool).toEqual([0, 0, 1, 2, 3, 4]); // commitments first, then two masks of each kind for the one peer
    const ready = stages.at(-1) ?? expect.fail();
    const opened = openPresigning(ready, session, 1, "pool");
    expect(opened.host.poolMasks && masksHeld(opened.host.poolMasks)).toBe(0);
    const both = new Map([
      [self, opened],
      [peer, openPresigning(freshHost(peer), session, 1, "pool")],
    ]);
    expect([...talk(session, both).values()]).toEqual(["presigned", "presigned"]);
    // a presigning for a request needs no masks of the pool, and other tasks begin at once
    expect(openPresigning(ready, sessionOf(7)).host.poolMasks).toBe(ready.poolMasks);
    expect(workBefore(full, { ...task, purpose: "request" }, entropy)).toBe(undefined);
  });

  it("begins at once for the pool, and ends unfit, with signers outside the auxiliary info", () => {
    const task = { kind: "open-presigning", key: shareOf(self), auxiliary: auxiliaryOf(self) } as const;
    const strangers = { ...task, purpose: "pool", signers: [self, testParty(9)] } as const;
    const prepared = workBefore(freshHost(self), strangers, entropy) ?? expect.fail("no commitments");
    expect(workBefore(prepared, strangers, entropy)).toBe(undefined);
    expect(compute(prepared, session, strangers, entropy).result.kind).toBe("abort");
  });

  it("uses none that were made for other auxiliary info", () => {
    const withSome = (host: Host): Host => (held(host) > 0 ? host : withSome(workAhead(host, entropy)));
    const ready = withSome(prepareFor(full, auxiliaryOf(self, 2)));
    const { host, result } = openPresigning(ready, sessionOf(5));
    expect(held(host)).toBe(1);
    expect(result.kind).toBe("running");
  });
});
