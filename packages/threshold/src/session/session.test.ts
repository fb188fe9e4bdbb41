import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encode } from "../codec.ts";
import { startCoinToss } from "../testing/coin-toss.ts";
import {
  alice,
  bob,
  carol,
  flipped,
  honestToss,
  last,
  present,
  resigned,
  runAlice,
  runToss,
  sentBy,
  toAlice,
  tossConfigs,
  tossers,
} from "../testing/coin-toss-run.ts";
import { testParties } from "../testing/insecure-auxiliary.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { runSessions, testConfigs, testSessionId } from "../testing/session-network.ts";
import { EARLY_BYTES_PER_PEER_MAX, ROUNDS_AHEAD_MAX } from "./admission.ts";
import { ENVELOPE_KIND, type Envelope, envelopeCodec, PAYLOAD_BYTES_MAX } from "./envelope.ts";
import { deliver, openSession, type Progress, type Session } from "./session.ts";

const { broadcast, direct, echo } = ENVELOPE_KIND;
const agreed = present(honestToss.outcomes.get(alice));
const commitOfBob = sentBy(bob, 1, broadcast);
const echoOfBob = sentBy(bob, 1, echo);
const firstRound = toAlice.filter(({ round }) => round === 1);
const fresh = last(runAlice([])).session;

const give = <Output>(session: Session<Output>, envelope: Envelope): Progress<Output> =>
  deliver(session, envelope, seededEntropy("later"));

describe("a session among honest parties", () => {
  it("gives everybody the same output, and to each what was sealed for it", () => {
    const outputs = [...honestToss.outcomes.values()].map((outcome) =>
      outcome.kind === "output" ? outcome.output : expect.fail(outcome.kind),
    );
    const [first = expect.fail()] = outputs;
    expect(outputs.every(({ coin }) => Buffer.from(coin).equals(first.coin))).toBe(true);
    expect([...first.pads.keys()]).toEqual([bob, carol]);
  });

  it.each([2, 4, 5])("works among %i", (count) => {
    const many = testParties(count);
    const run = runSessions({
      configs: testConfigs(many, testSessionId(`${count}`)),
      start: ({ self }) => startCoinToss({ self, parties: many }),
      seed: `${count}`,
    });
    expect([...run.outcomes.values()].map(({ kind }) => kind)).toEqual(many.map(() => "output"));
  });

  it("works when the protocol's first round is not number 1", () => {
    const run = runSessions({
      configs: tossConfigs,
      start: ({ self }) => startCoinToss({ self, parties: tossers, firstRound: 5 }),
      seed: "late",
    });
    expect([...run.outcomes.values()].map(({ kind }) => kind)).toEqual(["output", "output", "output"]);
    expect(new Set(run.sent.map(({ round }) => round))).toEqual(new Set([5, 6]));
  });

  it("gives the same output in whatever order messages arrive", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...toAlice], { minLength: toAlice.length }), (shuffled) => {
        expect(last(runAlice(shuffled)).outcome).toEqual(agreed);
      }),
      { numRuns: 100 },
    );
  });

  it("runs whole networks in any order of arrival to one coin", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (choices) => {
        const pick = (count: number): number => (choices.next().value ?? 0) % count;
        const { outcomes } = runToss({ pick });
        expect(outcomes).toEqual(honestToss.outcomes);
      }),
      { numRuns: 25 },
    );
  });

  it("gives the same output when every message comes twice", () => {
    const doubled = toAlice.flatMap((envelope) => [envelope, envelope]);
    const steps = runAlice(doubled);
    expect(last(steps).outcome).toEqual(agreed);
    expect(steps.filter(({ ignored }) => ignored !== undefined)).toHaveLength(toAlice.length);
  });

  it("waits while a message is lost and goes on when it is sent again", () => {
    const late = sentBy(carol, 1, broadcast);
    const steps = runAlice([...toAlice.filter((envelope) => envelope !== late), late]);
    expect(steps.at(-2)?.outcome).toEqual({ kind: "running", round: 1 });
    expect(last(steps).outcome).toEqual(agreed);
  });

  it("advances through all that is buffered in one call", () => {
    const steps = runAlice([...toAlice.filter((envelope) => envelope !== commitOfBob), commitOfBob]);
    const sent = last(steps).send.map(({ round, kind }) => `${round}/${kind}`);
    expect(sent).toEqual([`1/${echo}`, `2/${broadcast}`, `2/${direct}`, `2/${direct}`]);
  });

  it("keeps nothing once it is over", () => {
    expect(last(runAlice(toAlice)).session.waiting).toBe(undefined);
  });

  it("INV-10 shows no secret key when its configuration is printed", () => {
    expect(JSON.stringify(present(tossConfigs.get(alice)))).toContain('"secrets":"[secret]"');
  });
});

describe("a session is a value", () => {
  it("sends byte-identical envelopes when replayed with the same entropy and events", () => {
    const bytes = (steps: readonly Progress<unknown>[]): readonly Uint8Array[] =>
      steps.flatMap(({ send }) => send.map((envelope) => encode(envelopeCodec, envelope)));
    expect(bytes(runAlice(toAlice))).toEqual(bytes(runAlice(toAlice)));
  });

  it("stays usable as it was before a delivery, after every prefix", () => {
    const steps = runAlice(toAlice);
    for (const [at, { session }] of steps.entries()) {
      const rest = toAlice.slice(at);
      const replayed = rest.reduce((current, envelope) => give(current, envelope).session, session);
      expect(replayed.outcome).toEqual(agreed);
    }
  });
});

describe("a session ignores", () => {
  it.each<[string, Envelope]>([
    ["foreign", resigned(commitOfBob, { session: testSessionId("another") })],
    ["foreign", { ...commitOfBob, from: 9 }],
    ["foreign", sentBy(alice, 1, broadcast)],
    ["misaddressed", resigned(commitOfBob, { to: alice })],
    ["misaddressed", resigned(commitOfBob, { kind: direct, to: carol })],
    ["misaddressed", resigned(echoOfBob, { to: alice })],
    ["unexpected", resigned(commitOfBob, { kind: direct, to: alice })],
    ["unexpected", resigned(commitOfBob, { kind: 7 })],
    ["unsigned", { ...commitOfBob, payload: flipped(commitOfBob.payload) }],
    ["unsigned", { ...commitOfBob, signature: flipped(commitOfBob.signature) }],
    ["unsigned", { ...commitOfBob, signature: new Uint8Array(0) }],
    ["unsigned", { ...commitOfBob, from: carol }],
    ["unsigned", { ...commitOfBob, round: 2 }],
    ["stale", resigned(commitOfBob, { round: 0 })],
    ["overfull", resigned(commitOfBob, { round: 2 + ROUNDS_AHEAD_MAX })],
    ["overfull", { ...commitOfBob, payload: new Uint8Array(PAYLOAD_BYTES_MAX + 1) }],
  ])("P11 an envelope that is %s, and is left as it was", (reason, envelope) => {
    const progress = give(fresh, envelope);
    expect(progress.ignored).toBe(reason);
    expect(progress.session).toBe(fresh);
    expect(progress.send).toEqual([]);
  });

  it("P11 a broadcast in a round that takes none", () => {
    const config = present(tossConfigs.get(alice));
    const expects = { broadcast: "none", direct: "plain", payloadBytesMax: 64 } as const;
    const advance = () => ({ kind: "abort", check: "nobody broadcasts" }) as const;
    const start = () => ({ kind: "next", messages: [], round: { number: 1, expects, advance } }) as const;
    const { session } = openSession(config, start, seededEntropy("none"));
    expect(give(session, commitOfBob).ignored).toBe("unexpected");
  });

  it("an exact duplicate", () => {
    const { session } = give(fresh, commitOfBob);
    expect(give(session, commitOfBob).ignored).toBe("duplicate");
  });

  it("a message of a round that is over, even one that differs", () => {
    const { session } = last(runAlice(firstRound));
    expect(session.outcome).toEqual({ kind: "running", round: 2 });
    expect(give(session, commitOfBob).ignored).toBe("stale");
    expect(give(session, resigned(commitOfBob, { payload: flipped(commitOfBob.payload) })).ignored).toBe(
      "stale",
    );
  });

  it("everything once it is finished", () => {
    const { session } = last(runAlice(toAlice));
    expect(give(session, commitOfBob).ignored).toBe("finished");
  });

  it("an unsigned message, and then takes the real one for the same slot", () => {
    const forged = { ...commitOfBob, payload: flipped(commitOfBob.payload) };
    expect(last(runAlice([forged, ...toAlice])).outcome).toEqual(agreed);
  });
});

describe("a session bounds what it keeps (P13)", () => {
  it("blames a signed payload above the round's limit", () => {
    const long = resigned(commitOfBob, { payload: new Uint8Array(65) });
    const { outcome } = give(fresh, long);
    expect(outcome).toMatchObject({ kind: "fault", fault: { culprit: bob, messages: [long] } });
  });

  it("blames nobody for an oversize payload that is not signed", () => {
    expect(give(fresh, { ...commitOfBob, payload: new Uint8Array(65) }).ignored).toBe("unsigned");
  });

  it("blames an oversize payload that came early once its round begins", () => {
    const long = resigned(sentBy(bob, 2, broadcast), { payload: new Uint8Array(65) });
    const steps = runAlice([long, ...firstRound]);
    expect(steps[1]?.outcome.kind).toBe("running");
    expect(last(steps).outcome).toMatchObject({ kind: "fault", fault: { culprit: bob, messages: [long] } });
  });

  it("takes a payload of exactly the limit", () => {
    const full = resigned(commitOfBob, { payload: new Uint8Array(64) });
    expect(give(fresh, full).outcome.kind).toBe("running");
  });

  it("keeps no more than the early limit of one peer, however much it sends", () => {
    let session = fresh;
    for (let round = 1; round <= 5; round++) {
      for (const kind of [broadcast, direct, echo]) {
        const payload = new Uint8Array(PAYLOAD_BYTES_MAX).fill(round);
        const to = kind === direct ? alice : 0;
        if (round > 1) ({ session } = give(session, resigned(commitOfBob, { round, kind, to, payload })));
      }
    }
    const kept = [...(session.waiting?.mailbox.values() ?? [])];
    const bytes = kept.reduce((sum, { envelope }) => sum + envelope.payload.length, 0);
    expect(bytes).toBe(EARLY_BYTES_PER_PEER_MAX);
  });

  it("drops an early message that its round does not expect, and blames nobody", () => {
    const stray = resigned(echoOfBob, { round: 2, payload: new Uint8Array(1000) });
    const steps = runAlice([stray, ...firstRound]);
    const isKept = (step: Progress<unknown>): boolean =>
      [...(step.session.waiting?.mailbox.values() ?? [])].some(({ envelope }) => envelope === stray);
    expect(steps.map(isKept)).toEqual([false, true, true, true, true, false]);
    expect(last(steps).outcome).toEqual({ kind: "running", round: 2 });
  });

  it("still serves the others while one peer floods", () => {
    const flood = Array.from({ length: 500 }, (_, at) => ({
      ...commitOfBob,
      round: 1 + (at % 3),
      payload: Uint8Array.of(at, at >> 8),
      signature: new Uint8Array(64),
    }));
    expect(last(runAlice([...flood, ...toAlice])).outcome).toEqual(agreed);
  });
});

describe("opening a session", () => {
  const config = present(tossConfigs.get(alice));
  const start = startCoinToss({ self: alice, parties: tossers });

  it.each([
    ["parties out of order", { parties: [bob, alice, carol] }],
    ["a repeated party", { parties: [alice, bob, bob] }],
    ["a party without pinned keys", { peers: new Map() }],
    ["parties without us", { parties: [bob, carol] }],
  ])("throws on %s, which is our own mistake", (_, change) => {
    expect(() => openSession({ ...config, ...change }, start, seededEntropy("any"))).toThrow(RangeError);
  });

  it("throws on a protocol whose rounds are not numbered upwards", () => {
    const expects = { broadcast: "plain", direct: "none", payloadBytesMax: 64 } as const;
    const advance = () => ({ kind: "abort", check: "never" }) as const;
    const stuck = () => ({ kind: "next", messages: [], round: { number: 0, expects, advance } }) as const;
    expect(() => openSession(config, stuck, seededEntropy("any"))).toThrow(RangeError);
  });
});
