import {
  auxiliaryInfoCodec,
  CGGMP24,
  type Entropy,
  encode,
  keyShareCodec,
  type PartyIndex,
  Secret,
} from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS as parameters } from "@conclave/threshold/insecure-test-parameters";
import {
  insecureAuxiliaryInfo,
  insecureAuxiliaryPrimes,
  insecureKeyShares,
  insecurePartySecrets,
  insecurePeerKeys,
  seededEntropy,
  testParties,
} from "@conclave/threshold/testing";
import { describe, expect, it } from "vitest";
import { type SessionKey, sessionKey } from "../control/session-key.ts";
import { performCheck, takeJobs } from "./checks.ts";
import { type Cloneable, forClone } from "./clone.ts";
import { compute, openHost, resumeWith } from "./host.ts";
import { drop, type Host } from "./host-state.ts";
import type { ComputeResult, ComputeTask } from "./task.ts";

const parties = testParties(3);
const session: SessionKey = sessionKey(new Uint8Array(32).fill(7)) ?? expect.fail("no session");

const auxiliaryOf = (self: PartyIndex): Secret<Uint8Array> => {
  const info = insecureAuxiliaryInfo(parties).get(self) ?? expect.fail("no such party");
  return new Secret(encode(auxiliaryInfoCodec(parameters), info));
};
const presigning = (self: PartyIndex): ComputeTask => {
  const share = insecureKeyShares(3, parties).get(self) ?? expect.fail("no such party");
  const key = new Secret(encode(keyShareCodec(CGGMP24), share));
  return { kind: "open-presigning", purpose: "pool", signers: parties, key, auxiliary: auxiliaryOf(self) };
};
const auxiliary = (self: PartyIndex): ComputeTask => {
  const primes = new Secret(insecureAuxiliaryPrimes(self));
  return { kind: "open-auxiliary", parties, epoch: 1, primes };
};

/** One compute host of a signer. */
const hostOf = (self: PartyIndex, checks: Host["checks"] = "here"): Host => {
  const peers = new Map(parties.map((party) => [party, insecurePeerKeys(party)]));
  return openHost({ self, parameters, peers, secrets: new Secret(insecurePartySecrets(self)) }, checks);
};

interface Signer {
  readonly entropy: Entropy;
  host: Host;
  /** the host that does its checks */
  other: Host;
}

interface Run {
  readonly signers: ReadonlyMap<PartyIndex, Signer>;
  /** all results of each signer, with their secrets in clear */
  readonly results: ReadonlyMap<PartyIndex, readonly Cloneable<ComputeResult>[]>;
  readonly jobs: number;
}

/** Runs a session among three signers whose checks are done by their own host, or by another one. */
const run = (checks: Host["checks"], open: (self: PartyIndex) => ComputeTask): Run => {
  const isPresigning = open === presigning;
  const signers = new Map<PartyIndex, Signer>();
  const results = new Map<PartyIndex, Cloneable<ComputeResult>[]>(parties.map((self) => [self, []]));
  const waiting: Extract<ComputeTask, { kind: "deliver" }>["envelope"][] = [];
  let jobsDone = 0;

  const note = (self: PartyIndex, result: ComputeResult): void => {
    // a session that stops gives a separate result, and sends peers nothing that it would not have sent
    results.get(self)?.push(forClone(result));
    if ("send" in result) waiting.push(...result.send);
  };
  const judge = (self: PartyIndex, signer: Signer): void => {
    const taken = takeJobs(signer.host, session);
    if (taken.jobs.length === 0) return;
    expect(takeJobs(taken.host, session).jobs).toEqual([]);
    const verdicts = taken.jobs.map((job) => {
      const done = performCheck(signer.other, job, isPresigning ? auxiliaryOf(self) : undefined);
      signer.other = done.host;
      return done.verdict;
    });
    jobsDone += verdicts.length;
    const { host, result } = resumeWith(taken.host, session, verdicts, signer.entropy);
    signer.host = host;
    note(self, result);
    judge(self, signer);
  };
  const give = (self: PartyIndex, signer: Signer, task: ComputeTask): void => {
    const { host, result } = compute(signer.host, session, task, signer.entropy);
    signer.host = host;
    note(self, result);
    judge(self, signer);
  };

  for (const self of parties) {
    const entropy = seededEntropy(`checks/${self}`);
    const signer = { entropy, host: hostOf(self, checks), other: hostOf(self) };
    signers.set(self, signer);
    give(self, signer, open(self));
  }
  for (let envelope = waiting.shift(); envelope !== undefined; envelope = waiting.shift()) {
    for (const [self, signer] of signers) {
      if (envelope.from === self || (envelope.to !== 0 && envelope.to !== self)) continue;
      give(self, signer, { kind: "deliver", envelope });
    }
  }
  return { signers, results, jobs: jobsDone };
};

/** The last result of every signer. */
const ends = ({ results }: Run): readonly (Cloneable<ComputeResult> | undefined)[] =>
  [...results.values()].map((all) => all.at(-1));

describe("a host that hands out the checks of its sessions", () => {
  it("makes the same presignatures, byte for byte, as one that does them itself", () => {
    const [here, apart] = [run("here", presigning), run("apart", presigning)];
    expect([here.jobs, apart.jobs]).toEqual([0, 12]); // two rounds, three signers, two peers each
    const exported = ({ signers }: Run) =>
      [...signers.values()].map(({ host, entropy }) =>
        forClone(compute(host, session, { kind: "export-presignature" }, entropy).result),
      );
    expect(exported(apart)).toEqual(exported(here));
  });

  it("makes the same auxiliary info, byte for byte", () => {
    const [here, apart] = [run("here", auxiliary), run("apart", auxiliary)];
    expect([here.jobs, apart.jobs]).toEqual([0, 12]);
    expect(ends(apart)).toEqual(ends(here));
  });

  it("takes no verdicts for a session that it has dropped, or that has handed out no checks", () => {
    const [self] = parties;
    const signer = self ?? expect.fail("three take part");
    const opened = compute(hostOf(signer, "apart"), session, presigning(signer), seededEntropy("drop"));
    expect(takeJobs(opened.host, session).jobs).toEqual([]);
    const dropped = drop(opened.host, session);
    expect(takeJobs(dropped, session).jobs).toEqual([]);
    for (const host of [opened.host, dropped]) {
      expect(() => resumeWith(host, session, [], seededEntropy(""))).toThrow("other verdicts");
    }
  });
});
