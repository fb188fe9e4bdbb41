import { describe, expect, it, test } from "vitest";
import { startAuxiliaryGeneration } from "../auxiliary/auxiliary.ts";
import { type AuxiliaryInfo, auxiliaryInfoCodec } from "../auxiliary/auxiliary-info.ts";
import { auxiliaryCommitment, auxiliaryOpeningCodec } from "../auxiliary/opening.ts";
import { type Codec, decode, encode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { commitmentProofsCodec, conversionProofsCodec } from "../presign/messages.ts";
import { startPresigning } from "../presign/presign.ts";
import { type Presignature, presignatureCodec } from "../presign/presignature.ts";
import { blumModulusProofCodec } from "../proofs/paillier-blum-modulus.ts";
import { Secret } from "../secret.ts";
import type { SessionConfig } from "../session/config.ts";
import { ENVELOPE_KIND, type Envelope, envelopeCodec, signEnvelope } from "../session/envelope.ts";
import type { Outcome } from "../session/outcome.ts";
import { pendingChecks } from "../session/pending-checks.ts";
import type { CheckResult, Outgoing, PeerCheck, Start, Step } from "../session/round.ts";
import { deliver, openSession, resume, type Session } from "../session/session.ts";
import {
  insecureAuxiliaryInfo,
  insecureAuxiliaryPrimes,
  testParties,
  testParty,
} from "../testing/insecure-auxiliary.ts";
import { presignConfig } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import {
  insecurePartySecrets,
  type Network,
  type NetworkConfig,
  runSessions,
  testConfigs,
  testSessionId,
} from "../testing/session-network.ts";
import { checkResultCodec } from "./check-result.ts";
import { performJob } from "./job.ts";

const parties = testParties(3);
const [alice, bob, carol] = [testParty(1), testParty(2), testParty(3)];
/** two rounds, three parties, two peers each */
const CHECKS = 2 * 3 * 2;
const seed = "checks apart";
const { broadcast } = ENVELOPE_KIND;

const reread = <T>(codec: Codec<T>, bytes: Uint8Array): T => {
  const decoded = decode(codec, bytes);
  return decoded.ok ? decoded.value : expect.fail(decoded.reason);
};

/** Performs checks as another thread would, in another order than requested: only bytes are exchanged. */
const elsewhere = (
  checks: readonly PeerCheck[],
  auxiliary?: AuxiliaryInfo,
): ReadonlyMap<PartyIndex, CheckResult> =>
  new Map(
    checks.toReversed().map(({ peer, job }) => {
      const verdict = encode(checkResultCodec(parameters), performJob(job(), parameters, auxiliary));
      return [peer, reread(checkResultCodec(parameters), verdict)];
    }),
  );

interface Protocol<Output> {
  readonly configs: ReadonlyMap<PartyIndex, SessionConfig>;
  readonly start: (config: SessionConfig) => Start<Output>;
  /** the values that every thread of a party has */
  readonly known: (self: PartyIndex) => AuxiliaryInfo | undefined;
  readonly bytesOf: (output: Output) => Uint8Array;
}

const presigning: Protocol<Presignature> = {
  configs: testConfigs(parties, testSessionId("presigning")),
  start: ({ self }) => startPresigning(presignConfig({ t: 3, n: 3, signers: parties }, self)),
  known: (self) => insecureAuxiliaryInfo(parties).get(self),
  bytesOf: (output) => encode(presignatureCodec, output),
};

const runOf = ({ self, session }: Pick<SessionConfig, "self" | "session">) => ({
  session,
  self,
  parties,
  epoch: 0,
  parameters,
});

const auxiliary: Protocol<AuxiliaryInfo> = {
  configs: testConfigs(parties, testSessionId("auxiliary")),
  start: (config) =>
    startAuxiliaryGeneration({ ...runOf(config), primes: new Secret(insecureAuxiliaryPrimes(config.self)) }),
  known: () => undefined,
  bytesOf: (output) => encode(auxiliaryInfoCodec(parameters), output),
};

const run = <Output>(
  { configs, start, known }: Protocol<Output>,
  checks: "here" | "apart",
  more: Pick<NetworkConfig<Output>, "wire"> = {},
): Network<Output> & { readonly judged: number } => {
  let judged = 0;
  const network = runSessions<Output>({
    configs: new Map([...configs].map(([self, config]) => [self, { ...config, checks }])),
    start,
    seed,
    judge: (self, pending) => {
      judged += pending.length;
      return elsewhere(pending, known(self));
    },
    ...more,
  });
  return { ...network, judged };
};

const envelopeBytes = (envelopes: readonly Envelope[]) => envelopes.map((one) => encode(envelopeCodec, one));

const outputs = <Output>({ bytesOf }: Protocol<Output>, { outcomes }: Network<Output>) =>
  [...outcomes.values()].map((outcome) =>
    outcome.kind === "output" ? bytesOf(outcome.output) : expect.fail(outcome.kind),
  );

/** The protocol of a cheat that changes one round's messages to one receiver, or to all. */
const lying = <Output>(
  start: Start<Output>,
  round: number,
  change: (message: Outgoing) => Uint8Array,
): Start<Output> => {
  const lieIn = (step: Step<Output>): Step<Output> => {
    if (step.kind !== "next") return step;
    const { number, expects, advance } = step.round;
    const messages = step.messages.map((one) =>
      number === round ? { to: one.to, payload: change(one) } : one,
    );
    return {
      kind: "next",
      messages,
      round: { number, expects, advance: (inbox, entropy) => lieIn(advance(inbox, entropy)) },
    };
  };
  return (entropy) => lieIn(start(entropy));
};

const bent =
  <T>(codec: Codec<T>, to: Outgoing["to"], bend: (message: T) => T) =>
  (message: Outgoing): Uint8Array =>
    message.to === to ? encode(codec, bend(reread(codec, message.payload))) : message.payload;

/** The same protocol, in which these parties lie. */
const withLiars = <Output>(
  protocol: Protocol<Output>,
  liars: ReadonlyMap<PartyIndex, (start: Start<Output>) => Start<Output>>,
): Protocol<Output> => ({
  ...protocol,
  start: (config) => liars.get(config.self)?.(protocol.start(config)) ?? protocol.start(config),
});

const wrongK = bent(commitmentProofsCodec(parameters), alice, (proofs) => ({
  ...proofs,
  K: { ...proofs.K, z1: proofs.K.z1 + 1n },
}));
const wrongKey = bent(conversionProofsCodec(parameters), alice, (proofs) => ({
  ...proofs,
  key: { ...proofs.key, z2: proofs.key.z2 + 1n },
}));
const wrongModulus = bent(blumModulusProofCodec(parameters), "all", ({ w, answers: [first, ...rest] }) => ({
  w,
  answers: first === undefined ? [] : [{ ...first, z: first.z + 1n }, ...rest],
}));

const hereOfPresigning = run(presigning, "here");
const hereOfAuxiliary = run(auxiliary, "here");

/** A wrong Πprm in an opening that fits its commitment. */
const wrongParameters = (start: Start<AuxiliaryInfo>): Start<AuxiliaryInfo> => {
  const said = hereOfAuxiliary.sent.find(({ from, round }) => from === bob && round === 2);
  const opening = reread(auxiliaryOpeningCodec(parameters), said?.payload ?? expect.fail("bob opens"));
  const [first = 0n, ...rest] = opening.proof.responses;
  const lie = { ...opening, proof: { ...opening.proof, responses: [first + 1n, ...rest] } };
  const session = testSessionId("auxiliary");
  const committed = lying(start, 1, () => auxiliaryCommitment(runOf({ self: bob, session }), bob, lie));
  return lying(committed, 2, () => encode(auxiliaryOpeningCodec(parameters), lie));
};

/** No message or outcome of a party reveals where its checks were performed. */
const expectSame = <Output>(protocol: Protocol<Output>, here: Network<Output>): void => {
  const apart = run(protocol, "apart");
  expect(apart.judged).toBe(CHECKS);
  expect(envelopeBytes(apart.sent)).toEqual(envelopeBytes(here.sent));
  expect(outputs(protocol, apart)).toEqual(outputs(protocol, here));
};

/** Alice's outcome, which must be the same for both ways to perform her checks. */
const ofAlice = <Output>(protocol: Protocol<Output>): Outcome<Output> => {
  const [here, apart] = [run(protocol, "here"), run(protocol, "apart")].map(({ outcomes }) =>
    outcomes.get(alice),
  );
  if (here === undefined || apart === undefined) throw new Error("Alice takes part");
  expect(apart).toEqual(here);
  return here;
};

const accused = (outcome: Outcome<unknown>): unknown =>
  outcome.kind === "fault" ? [outcome.fault.culprit, outcome.fault.check] : outcome.kind;

/** All that Alice receives in the honest presigning, in order. */
const toAlice = hereOfPresigning.sent.filter(({ from, to }) => from !== alice && (to === 0 || to === alice));
const configOfAlice = presigning.configs.get(alice) ?? expect.fail("Alice takes part");

interface Stopped {
  readonly session: Session<Presignature>;
  readonly sent: readonly Envelope[];
}

const feed = (first: Stopped, envelopes: readonly Envelope[], entropy = seededEntropy("later")): Stopped =>
  envelopes.reduce<Stopped>(({ session, sent }, envelope) => {
    const progress = deliver(session, envelope, entropy);
    return { session: progress.session, sent: [...sent, ...progress.send] };
  }, first);

/**
 * Alice's session with all messages of round 1, stopped for the results of its checks; her entropy continues
 * from there.
 */
const chance = seededEntropy(`${seed}/${alice}`);
const config: SessionConfig = { ...configOfAlice, checks: "apart" };
const opened = openSession(config, presigning.start(config), chance);
const stopped = feed(
  { session: opened.session, sent: opened.send },
  toAlice.filter(({ round }) => round === 1),
  chance,
);

describe("checks on other threads", () => {
  it("give byte for byte the same presigning", () => expectSame(presigning, hereOfPresigning));

  it("give byte for byte the same auxiliary generation", () => expectSame(auxiliary, hereOfAuxiliary));

  it("stay with the session when there is only one peer: nothing could run in parallel", () => {
    const two = testParties(2);
    const pair: Protocol<Presignature> = {
      ...presigning,
      configs: testConfigs(two, testSessionId("pair")),
      start: ({ self }) =>
        startPresigning(presignConfig({ t: 2, n: 2, signers: two, session: "pair" }, self)),
    };
    const { judged, outcomes } = run(pair, "apart");
    expect([judged, ...[...outcomes.values()].map(({ kind }) => kind)]).toEqual([0, "output", "output"]);
  });

  test.each([
    ["Πenc-elg", 1, wrongK, "presign/1 Πenc-elg of K"],
    ["Πaff-g", 2, wrongKey, "presign/2 Πaff-g of D^"],
  ] as const)("INV-7 a wrong %s is named with the same evidence", (_, round, lie, check) => {
    const outcome = ofAlice(withLiars(presigning, new Map([[carol, (start) => lying(start, round, lie)]])));
    expect(accused(outcome)).toEqual([carol, check]);
  });

  test("INV-7 a wrong Πprm is named with the same evidence", () => {
    const outcome = ofAlice(withLiars(auxiliary, new Map([[bob, wrongParameters]])));
    expect(accused(outcome)).toEqual([bob, "aux/2 Πprm"]);
  });

  test("INV-7 a wrong Πmod is named with the same evidence", () => {
    const liars = new Map([[carol, (start: Start<AuxiliaryInfo>) => lying(start, 3, wrongModulus)]]);
    expect(accused(ofAlice(withLiars(auxiliary, liars)))).toEqual([carol, "aux/3 Πmod"]);
  });

  test("INV-7 of two cheats the first in the order of parties is named, whichever check is done first", () => {
    const lie = (start: Start<Presignature>) => lying(start, 1, wrongK);
    const undecodable = (start: Start<Presignature>) =>
      lying(start, 1, ({ to, payload }) => (to === alice ? payload.subarray(1) : payload));
    const both = new Map([
      [bob, lie],
      [carol, undecodable],
    ]);
    expect(accused(ofAlice(withLiars(presigning, both)))).toEqual([bob, "presign/1 Πenc-elg of K"]);
    const crossed = new Map([
      [bob, undecodable],
      [carol, lie],
    ]);
    const outcome = ofAlice(withLiars(presigning, crossed));
    expect(accused(outcome)).toEqual([bob, expect.stringMatching("presign/1 decoding")]);
  });

  it("are for the auxiliary info of their session, and refuse bytes that are no job", () => {
    const [check] = pendingChecks(stopped.session);
    const job = check?.job() ?? expect.fail("Alice waits for verdicts");
    expect(() => performJob(job, parameters, undefined)).toThrow(RangeError);
    expect(() => performJob(job.subarray(1), parameters, presigning.known(alice))).toThrow(RangeError);
  });
});

describe("a session that stopped for its checks", () => {
  it("takes messages of the next rounds meanwhile, and then says what it would have said", () => {
    let now = feed(
      stopped,
      toAlice.filter(({ round }) => round > 1),
      chance,
    );
    expect(now.sent).toEqual(stopped.sent);
    for (let checks = pendingChecks(now.session); checks.length > 0; checks = pendingChecks(now.session)) {
      const { session, send } = resume(now.session, elsewhere(checks, presigning.known(alice)), chance);
      now = { session, sent: [...now.sent, ...send] };
    }
    const honest = hereOfPresigning.sent.filter(({ from }) => from === alice);
    expect(envelopeBytes(now.sent)).toEqual(envelopeBytes(honest));
    expect(now.session.outcome.kind).toBe("output");
  });

  it("P12 ends at once when a peer says something else in that round, and verdicts come too late", () => {
    const said = toAlice.find(({ kind, round }) => kind === broadcast && round === 1);
    const { from, ...rest } = said ?? expect.fail("peers commit");
    const payload = rest.payload.map((byte, at) => (at === 5 ? byte ^ 1 : byte));
    const { identity } = insecurePartySecrets(testParty(from));
    const other = signEnvelope({ ...rest, from: testParty(from) }, payload, identity);
    const { session } = feed(stopped, [other]);
    expect(accused(session.outcome)).toEqual([from, "round 1: two different messages for one place"]);
    const late = resume(session, new Map(), seededEntropy("late"));
    expect([late.send, late.ignored, late.session]).toEqual([[], "finished", session]);
  });

  it("goes on with no verdicts but those that it waits for", () => {
    const checks = pendingChecks(stopped.session);
    const verdicts = elsewhere(checks.slice(1), presigning.known(alice));
    expect(() => resume(stopped.session, verdicts, seededEntropy(""))).toThrow(RangeError);
    expect(() => resume(opened.session, verdicts, seededEntropy(""))).toThrow(RangeError);
  });

  it("waits for all of them, also where the first says who cheated", () => {
    const [first] = pendingChecks(stopped.session);
    const verdicts = new Map<PartyIndex, CheckResult>([
      [
        first?.peer ?? expect.fail("Alice waits for verdicts"),
        { kind: "fails", check: "presign/1 Πenc-elg of K" },
      ],
    ]);
    expect(() => resume(stopped.session, verdicts, seededEntropy(""))).toThrow(RangeError);
  });
});
