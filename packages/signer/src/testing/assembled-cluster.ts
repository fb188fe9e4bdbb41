import { sign } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { FAMILIES, signingReader } from "@conclave/chains";
import {
  AUXILIARY_ATTEMPT_MS,
  KEY_ATTEMPT_MS,
  type KnownSigners,
  openAuxiliaryCoordinator,
  openKeyCoordinator,
  openSigningCoordinator,
  ownClockOf,
  SharedStandings,
  SIGNING_ATTEMPT_MS,
  type SignerConfig,
  stepAuxiliaryCoordinator,
  stepKeyCoordinator,
  stepSigningCoordinator,
} from "@conclave/cluster";
import { openVirtualWorld, realEngine } from "@conclave/cluster/testing";
import type { AuthorisedKey, AuthorisedTransfer, SchemeSignature } from "@conclave/custody";
import { loadSigningKey, makePassphrase, makeSigningKey } from "@conclave/platform";
import { type Coordination, coordinate, Signers } from "@conclave/platform/coordination";
import { makeLogger } from "@conclave/platform/logger";
import { memoryVaultStore } from "@conclave/platform/testing";
import type { VaultStore } from "@conclave/platform/vault";
import { type PartyIndex, Secret } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import {
  insecureAuxiliaryPrimes,
  insecurePartySecrets,
  insecurePeerKeys,
  testParties,
} from "@conclave/threshold/testing";
import { type AssembledSigner, assembleSigner } from "../assembly/assembly.ts";
import { openRecordsIn } from "../records.ts";
import { CLUSTER_ID, NETWORK } from "./cluster.ts";
import { type FindWay, inlineCompute, MemoryNetwork, memorySigner } from "./memory/index.ts";

/** 2026-11-20: where virtual time starts, Unix milliseconds. */
const START_MS = 1_795_000_000_000;
const WAIT_MS_MAX = 120_000;
const TEST_NETWORK = {
  ...NETWORK,
  family: "Evm",
  rpcUrl: "http://127.0.0.1:8545",
  confirmations: 1,
} as const;

const must = <T>(
  result:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly problem: { readonly message: string } },
): T => {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};

/**
 * Signers of one process, as a process assembles them, over a network, stores and time in memory; with the coordinators of an
 * orchestrator. They compute with reduced parameters in this thread.
 */
export class AssembledCluster {
  readonly world;
  readonly network;
  readonly signers;
  /** the boot of the machine that all signers run on */
  bootId = "the first boot";
  /** the envelopes that reached peers, one line for each delivery */
  readonly delivered: string[] = [];
  readonly #members: readonly PartyIndex[];
  readonly #threshold: number;
  readonly #stores: ReadonlyMap<PartyIndex, VaultStore>;
  readonly #running = new Map<PartyIndex, AssembledSigner>();
  readonly #roster;
  readonly #authority;
  readonly #vaultKey = new Secret("5a".repeat(32));

  /** @param find the way between two places; without faults where it is left out */
  constructor(seed: string, size: number, threshold: number, find?: FindWay) {
    this.world = openVirtualWorld(START_MS, seed);
    this.network = new MemoryNetwork(this.world, find);
    this.#members = testParties(size);
    this.#threshold = threshold;
    this.#stores = new Map(this.#members.map((self) => [self, memoryVaultStore()]));
    this.#roster = new Map(
      this.#members.map((index) => [index, { id: `signer-${index}`, ...insecurePeerKeys(index) }]),
    );
    const passphrase = makePassphrase();
    const { key, publicKey } = makeSigningKey(passphrase);
    this.#authority = { signing: must(loadSigningKey(key, passphrase)), publicKey };
    const entries = this.#members.map((index) => ({
      index,
      id: `signer-${index}`,
      address: "",
      identityKey: "",
      encryptionKey: "",
    }));
    const clients = this.#members.map((index) => memorySigner(this.network, index));
    this.signers = new Signers(this.world, { threshold, signers: entries }, clients);
    this.signers.start();
  }

  /** Starts all signers, and waits until they are live. */
  async start(): Promise<void> {
    for (const self of this.#members) await this.startSigner(self);
    await this.until(() => this.signers.live().length === this.#members.length);
  }

  /** Starts a signer from its store. */
  async startSigner(self: PartyIndex): Promise<void> {
    const { world, network } = this;
    const machine = this.#machineOf(self);
    const peers = { self, parameters: INSECURE_TEST_PARAMETERS, peers: machine.roster };
    const engine = realEngine({ ...peers, secrets: machine.secrets }, world.entropy);
    const store = this.#stores.get(self) ?? memoryVaultStore();
    const identity = insecurePeerKeys(self).identity;
    const signer = must(
      await assembleSigner({
        id: `signer-${self}`,
        machine,
        world,
        log: makeLogger({ name: `signer-${self}`, level: "silent" }),
        failed: (error) => {
          throw new Error("a signer failed", { cause: error });
        },
        records: must(await openRecordsIn(store, this.#vaultKey, identity, machine.reader)),
        openLinks: (dropped) =>
          network.linksOf(
            self,
            this.#members.filter((member) => member !== self),
            dropped,
          ),
        openCompute: (listener) => inlineCompute(world, engine, listener),
        searchPrimes: async () => new Secret(insecureAuxiliaryPrimes(self)),
        bootId: () => this.bootId,
        figures: () => ({ cpuMicroseconds: 0, residentBytes: 0 }),
        serve: async ({ control, deliver }) =>
          network.serve(self, {
            control,
            deliver: (from, list) => {
              const bytes = list.map((each) => Buffer.from(each).toString("base64")).join();
              this.delivered.push(`${world.nowMs()} ${from} to ${self}: ${bytes}`);
              return deliver(from, list);
            },
          }),
      }),
    );
    this.#running.set(self, signer);
  }

  /** Stops a signer as an operator does. */
  async stopSigner(self: PartyIndex): Promise<void> {
    const signer = this.#running.get(self);
    if (signer === undefined) throw new Error(`signer ${self} does not run`);
    this.#running.delete(self);
    await this.passing(signer.stop());
  }

  statusOf(self: PartyIndex) {
    return this.#running.get(self)?.status();
  }

  /** Lets time pass until a promise is kept. */
  async passing<T>(promise: Promise<T>): Promise<T> {
    let isKept = false;
    const done = promise.finally(() => {
      isKept = true;
    });
    await this.until(() => isKept);
    return done;
  }

  /** Lets time pass until the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    const limitMs = this.world.nowMs() + WAIT_MS_MAX;
    for (await turn(); !condition(); await turn()) {
      if (!this.world.step(limitMs)) throw new Error("the condition does not come to hold");
    }
  }

  /** Has all signers make their auxiliary information. */
  async makeAuxiliary(): Promise<number> {
    const config = { ...this.#coordinating(AUXILIARY_ATTEMPT_MS), from: 0 };
    const nothing = { held: new Map(), certificates: [] };
    const run = this.#coordinate({
      open: (known: KnownSigners, nowMs: number) =>
        openAuxiliaryCoordinator(config, { ...known, ...nothing }, nowMs),
      step: stepAuxiliaryCoordinator,
    });
    return (await this.#valueOf(run)).epoch;
  }

  /** Has all signers make a key. @returns its public key */
  async makeKey(key: AuthorisedKey): Promise<Uint8Array> {
    const config = {
      ...this.#coordinating(KEY_ATTEMPT_MS),
      keyId: key.keyId,
      authorisation: this.#authorise(key),
      yields: true,
    };
    const run = this.#coordinate({
      open: (known: KnownSigners, nowMs: number) =>
        openKeyCoordinator(config, { ...known, held: new Map() }, nowMs),
      step: stepKeyCoordinator,
    });
    return (await this.#valueOf(run)).publicKey;
  }

  /** Has a transfer signed. @param verify whether these are the right signatures */
  async signTransfer(
    transfer: AuthorisedTransfer,
    unsigned: Uint8Array,
    verify: (signatures: readonly SchemeSignature[]) => boolean,
  ): Promise<readonly SchemeSignature[]> {
    const config = {
      ...this.#coordinating(SIGNING_ATTEMPT_MS),
      threshold: this.#threshold,
      keyId: transfer.keyId,
      authorisation: this.#authorise({ ...transfer, dateAuthorised: this.date() }),
      unsigned,
      dead: undefined,
      schemes: ["CGGMP24"] as const,
      verify,
    };
    const run = this.#coordinate({
      open: (known: KnownSigners, nowMs: number) =>
        openSigningCoordinator(config, { ...known, presignatures: [] }, nowMs),
      step: stepSigningCoordinator,
    });
    return (await this.#valueOf(run)).signatures;
  }

  /** The virtual time, ISO 8601. */
  date(): string {
    return new Date(this.world.nowMs()).toISOString();
  }

  #machineOf(self: PartyIndex): SignerConfig {
    return {
      self,
      secrets: new Secret(insecurePartySecrets(self)),
      roster: this.#roster,
      threshold: this.#threshold,
      clusterId: CLUSTER_ID,
      parameters: INSECURE_TEST_PARAMETERS.name,
      authorityKey: this.#authority.publicKey,
      keyImport: "refused",
      keyExport: "refused",
      reader: signingReader(FAMILIES, [TEST_NETWORK]),
    };
  }

  #coordinating(attemptMs: number) {
    const { entropy } = this.world;
    return { roster: this.#roster, entropy, attemptMs, ...ownClockOf(this.world) };
  }

  #coordinate<State extends { readonly health: SharedStandings["now"] }, Value>(
    machine: Parameters<typeof coordinate<State, Value>>[2],
  ): Coordination<Value> {
    return coordinate(this.world, new SharedStandings(), machine, this.signers, {
      fault: ({ verdict }) => {
        throw new Error(`signer ${verdict.culprit} is blamed`);
      },
    });
  }

  async #valueOf<Value>(run: Coordination<Value>): Promise<Value> {
    const outcome = await this.passing(run.outcome);
    if (outcome.kind === "failed") throw new Error(outcome.problem.message);
    if (outcome.kind === "stopped") throw new Error("it was stopped");
    return outcome.value;
  }

  #authorise(content: object) {
    const payload = Buffer.from(JSON.stringify(content));
    return { payload, signature: sign(null, payload, this.#authority.signing) };
  }
}
