import { randomBytes } from "node:crypto";
import type { ComputeResult, ComputeTask, HostConfig, SessionKey } from "@conclave/cluster";
import { compute, type Host, openHost } from "@conclave/cluster/compute";
import { loadIdentity, makeIdentity, makePassphrase } from "@conclave/platform/certificates";
import { ComputePool } from "@conclave/platform/compute";
import {
  type AuxiliaryInfo,
  auxiliaryInfoCodec,
  CGGMP24,
  type Envelope,
  encode,
  type KeyShare,
  keyShareCodec,
  type PartyIndex,
  PRODUCTION_PARAMETERS,
  SESSION_ID_BYTES,
  Secret,
} from "@conclave/threshold";
import type { Figure, Section } from "../figure.ts";
import { median } from "../statistics.ts";
import { runKeyGeneration } from "./threshold-parties.ts";

const THRESHOLD = 3;
const WORKERS = [1, 2] as const;
const RUNS = 3;
/** the first run of a worker uses every modulus for the first time, and is not counted */
const WARM_UP_RUNS = 1;
const ROUNDS = ["presign/1", "presign/2", "presign/3"] as const;
const LABELS = [
  "round 1: verify Πenc-elg; convert, prove Πaff-g",
  "round 2: verify Πaff-g, decrypt; reveal",
] as const;

/** The inputs of all signers. */
interface Signers {
  readonly parties: readonly PartyIndex[];
  readonly hosts: ReadonlyMap<PartyIndex, HostConfig>;
  readonly tasks: ReadonlyMap<PartyIndex, ComputeTask>;
}

const of = <T>(from: ReadonlyMap<PartyIndex, T>, party: PartyIndex): T => {
  const found = from.get(party);
  if (found === undefined) throw new Error(`party ${party} is missing`);
  return found;
};

const prepareSigners = (
  parties: readonly PartyIndex[],
  keys: ReadonlyMap<PartyIndex, KeyShare>,
  auxiliary: ReadonlyMap<PartyIndex, AuxiliaryInfo>,
): Signers => {
  const passphrase = makePassphrase();
  const identities = parties.map((party) => {
    const identity = loadIdentity(makeIdentity(passphrase).key, passphrase);
    if (!identity.ok) throw new Error(identity.problem.message);
    return [party, identity.value] as const;
  });
  const peers = new Map(
    identities.map(([party, { identityKey, encryptionKey }]) => [
      party,
      { identity: identityKey, encryption: encryptionKey },
    ]),
  );
  const parameters = PRODUCTION_PARAMETERS;
  const taskOf = (party: PartyIndex): ComputeTask => ({
    kind: "open-presigning",
    purpose: "request",
    signers: parties,
    key: new Secret(encode(keyShareCodec(CGGMP24), of(keys, party))),
    auxiliary: new Secret(encode(auxiliaryInfoCodec(parameters), of(auxiliary, party))),
  });
  return {
    parties,
    hosts: new Map(identities.map(([self, { secrets }]) => [self, { self, parameters, peers, secrets }])),
    tasks: new Map(parties.map((party) => [party, taskOf(party)])),
  };
};

const isKey = (text: string): text is SessionKey => text.length === 2 * SESSION_ID_BYTES;

const freshSession = (): SessionKey => {
  const text = randomBytes(SESSION_ID_BYTES).toString("hex");
  if (!isKey(text)) throw new Error("not a session");
  return text;
};

/** Runs the first signer in worker threads, one batch of tasks at a time. */
class Measured {
  readonly #pool: ComputePool;
  #settle: (result: ComputeResult) => void = () => undefined;

  constructor(host: HostConfig, workers: number) {
    this.#pool = new ComputePool({
      host,
      workers,
      computed: (_, result) => this.#settle(result),
      lost: (_, reason) => {
        throw reason;
      },
      failed: (reason) => {
        throw reason;
      },
    });
  }

  /** Gives the signer tasks. Resolves with the envelopes that it sends before it waits for its peers again. */
  give(session: SessionKey, tasks: readonly ComputeTask[]): Promise<readonly Envelope[]> {
    return new Promise((resolve, reject) => {
      const said: Envelope[] = [];
      let results = 0;
      this.#settle = (result) => {
        results += 1;
        if (result.kind === "fault" || result.kind === "abort") reject(new Error(JSON.stringify(result)));
        if ("send" in result) said.push(...result.send);
        const isChecking = result.kind === "running" && result.awaiting.length === 0;
        if (results >= tasks.length && !isChecking) resolve(said);
      };
      for (const task of tasks) this.#pool.submit(session, task);
    });
  }

  forget(session: SessionKey): void {
    this.#pool.drop(session);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/**
 * Runs one presigning. The other signers work in this thread while the first one waits, never at the same time.
 *
 * @returns the working time of the first signer, in milliseconds by round
 */
const presign = async (
  { parties, hosts, tasks }: Signers,
  first: PartyIndex,
  measured: Measured,
): Promise<readonly number[]> => {
  const session = freshSession();
  const entropy = (length: number) => Uint8Array.from(randomBytes(length));
  const others = new Map<PartyIndex, Host>(
    parties.filter((party) => party !== first).map((party) => [party, openHost(of(hosts, party))]),
  );
  const spent = new Map<number, number>();
  const ask = (party: PartyIndex, task: ComputeTask): readonly Envelope[] => {
    const { host, result } = compute(of(others, party), session, task, entropy);
    others.set(party, host);
    return "send" in result ? result.send : [];
  };

  const waiting = [...others.keys()].flatMap((party) => ask(party, of(tasks, party)));
  waiting.push(...(await measured.give(session, [of(tasks, first)])));
  while (waiting.length > 0) {
    const forFirst: Envelope[] = [];
    for (let envelope = waiting.shift(); envelope !== undefined; envelope = waiting.shift()) {
      const { from, to } = envelope;
      if (from !== first && (to === 0 || to === first)) forFirst.push(envelope);
      for (const party of others.keys()) {
        if (party !== from && (to === 0 || to === party)) {
          waiting.push(...ask(party, { kind: "deliver", envelope }));
        }
      }
    }
    if (forFirst.length === 0) break;
    const round = Math.min(...forFirst.map((envelope) => envelope.round));
    const before = performance.now();
    const deliveries = forFirst.map((envelope) => ({ kind: "deliver", envelope }) as const);
    waiting.push(...(await measured.give(session, deliveries)));
    spent.set(round, (spent.get(round) ?? 0) + performance.now() - before);
  }
  measured.forget(session);
  return ROUNDS.map((_, at) => spent.get(at + 1) ?? 0);
};

const figuresOf = (workers: number, runs: readonly (readonly number[])[]): readonly Figure[] => {
  const prefix = `presigning.t${THRESHOLD}.workers${workers}`;
  const sum = (rounds: readonly number[]): number => rounds.reduce((all, one) => all + one, 0);
  return [
    {
      name: prefix,
      unit: "ms",
      label: `presigning round work, ${workers} worker${workers === 1 ? "" : "s"}`,
      value: median(runs.map(sum)),
      note: "masks made on the spot; the other signers idle meanwhile",
    },
    ...LABELS.map((label, at) => ({
      name: `${prefix}.round${at + 1}`,
      unit: "ms" as const,
      label: `  ${label}`,
      value: median(runs.map((rounds) => rounds[at] ?? 0)),
    })),
  ];
};

/**
 * Measures the working time of one signer between its peers' messages and its own, with one worker thread and with two.
 *
 * @param auxiliary of every party
 */
export const workerSection = async (
  parties: readonly PartyIndex[],
  auxiliary: ReadonlyMap<PartyIndex, AuxiliaryInfo>,
  signal: AbortSignal,
): Promise<Section> => {
  const quorum = parties.slice(0, THRESHOLD);
  const keys = runKeyGeneration(parties, THRESHOLD, CGGMP24).outputs;
  const signers = prepareSigners(quorum, keys, auxiliary);
  const [first] = quorum;
  if (first === undefined) throw new RangeError("a quorum has signers");
  const figures: Figure[] = [];
  for (const workers of WORKERS) {
    const measured = new Measured(of(signers.hosts, first), workers);
    try {
      const runs: (readonly number[])[] = [];
      for (let run = 0; run < WARM_UP_RUNS + RUNS; run++) {
        signal.throwIfAborted();
        runs.push(await presign(signers, first, measured));
      }
      figures.push(...figuresOf(workers, runs.slice(WARM_UP_RUNS)));
    } finally {
      await measured.close();
    }
  }
  return { title: `Presigning with ${THRESHOLD} signers: wall clock of one signer's work`, figures };
};
