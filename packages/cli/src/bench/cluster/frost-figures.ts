import { randomBytes } from "node:crypto";
import { setImmediate as immediate } from "node:timers/promises";
import { loadIdentity, makeIdentity } from "@conclave/platform";
import {
  deliver,
  type Envelope,
  FROST_BIP340,
  FROST_ED25519,
  type GroupPoint,
  type KeyShare,
  openSession,
  type PartyIndex,
  type Progress,
  type Scheme,
  SESSION_ID_BYTES,
  Secret,
  type Session,
  type SessionConfig,
  startFrostSigning,
} from "@conclave/threshold";
import type { Figure, Section } from "../figure.ts";
import { cpuMs } from "../machine/own-cpu.ts";
import type { Report } from "../progress.ts";
import { median } from "../statistics.ts";
import { benchParties, runKeyGeneration } from "../threshold/threshold-parties.ts";

const PARTIES = 5;
const THRESHOLD = 3;
const MESSAGE_BYTES = 32;
const SIGNATURES = 40;
/** the first signatures compile code and build tables of multiples, and are not counted */
const WARM_UP = 10;
const CORES = 2;
/** DESIGN.md: 50 Ed25519 signatures per second on two cores, so 40 ms of CPU per signature, summed over its signers */
const BUDGET_MS = 40;

type SessionParty = Pick<SessionConfig, "self" | "parties" | "peers" | "secrets">;

const entropy = (length: number): Uint8Array => randomBytes(length);

/** Makes signers with identities like those of provisioning. */
const makeParties = (signers: readonly PartyIndex[]): readonly SessionParty[] => {
  const passphrase = new Secret(randomBytes(16).toString("hex"));
  const loaded = signers.map((self) => {
    const identity = loadIdentity(makeIdentity(passphrase).key, passphrase);
    if (!identity.ok) throw new Error(identity.problem.message);
    return { self, ...identity.value };
  });
  const peers = new Map(
    loaded.map(({ self, identityKey, encryptionKey }) => [
      self,
      { identity: identityKey, encryption: encryptionKey },
    ]),
  );
  return loaded.map(({ self, secrets }) => ({ self, parties: signers, peers, secrets }));
};

/** Makes one signature in real sessions: every envelope is signed, verified and echoed. Only the network is left out. */
const sign = <P extends GroupPoint<P>>(
  parties: readonly SessionParty[],
  keys: ReadonlyMap<PartyIndex, KeyShare<P>>,
): void => {
  const [session, message] = [entropy(SESSION_ID_BYTES), entropy(MESSAGE_BYTES)];
  const sessions = new Map<PartyIndex, Session<Uint8Array>>();
  const wire: Envelope[] = [];
  const absorb = (self: PartyIndex, progress: Progress<Uint8Array>): void => {
    sessions.set(self, progress.session);
    wire.push(...progress.send);
  };
  for (const party of parties) {
    const { self, parties: signers } = party;
    const key = keys.get(self);
    if (key === undefined) throw new Error(`party ${self} has no share of the key`);
    const start = startFrostSigning({ session, self, signers, key, message });
    absorb(self, openSession({ ...party, session }, start, entropy));
  }
  for (let envelope = wire.shift(); envelope !== undefined; envelope = wire.shift()) {
    for (const [self, receiver] of sessions)
      if (self !== envelope.from) absorb(self, deliver(receiver, envelope, entropy));
  }
  for (const [self, { outcome }] of sessions)
    if (outcome.kind !== "output") throw new Error(`party ${self} ended with ${outcome.kind}`);
};

const measure = <P extends GroupPoint<P>>(scheme: Scheme<P>): number => {
  const holders = benchParties(PARTIES);
  const keys = runKeyGeneration(holders, THRESHOLD, scheme).outputs;
  const parties = makeParties(holders.slice(0, THRESHOLD));
  const samples = Array.from({ length: WARM_UP + SIGNATURES }, () => {
    const before = cpuMs();
    sign(parties, keys);
    return cpuMs() - before;
  });
  return median(samples.slice(WARM_UP));
};

const figure = (name: string, label: string, ms: number): Figure => ({
  name: `frost.${name}`,
  unit: "ms",
  label,
  value: ms,
  note: `${Math.floor((CORES * 1000) / ms)} signatures a second on ${CORES} cores`,
});

/** Measures the CPU of a FROST signature, summed over its signers, session layer included. */
export const frostFigures = async (report: Report, signal: AbortSignal): Promise<readonly Section[]> => {
  const ed25519 = measure(FROST_ED25519);
  await immediate(); // lets Ctrl-C through, because the protocol runs without a pause
  signal.throwIfAborted();
  const bip340 = measure(FROST_BIP340);
  report("FROST signing is measured");
  return [
    {
      title: `FROST signing, ${THRESHOLD} of ${PARTIES}: CPU of all signers together`,
      figures: [
        { ...figure("ed25519", "one Ed25519 signature", ed25519), budget: BUDGET_MS },
        figure("bip340", "one BIP-340 signature", bip340),
      ],
    },
  ];
};
