import { FAMILIES, signingReader } from "@conclave/chains";
import type { SignerConfig } from "@conclave/cluster";
import type { Problem } from "@conclave/custody";
import { AlteredStore } from "@conclave/platform/vault";
import { type AssembledSigner, assembleSigner, openRecordsIn, type PeerLinks } from "@conclave/signer";
import { inlineCompute } from "@conclave/signer/testing";
import { type PartyIndex, Secret } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import { insecureAuxiliaryPrimes, insecurePartySecrets, insecurePeerKeys } from "@conclave/threshold/testing";
import { DiskError, SignerDisk } from "../disk/signer-disk.ts";
import { type EngineWatch, idealEngine } from "../engine/ideal-engine.ts";
import { loggedEngine } from "../engine/logged-engine.ts";
import { chanceOf } from "../time/chance-of.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import { milliseconds } from "../time/scheduler.ts";
import { countingLogger } from "../watch/counting-logger.ts";
import { VAULT_KEY } from "./insecure-keys.ts";
import { orderlyEnd } from "./orderly-end.ts";
import { beginLife, type SharedParts } from "./parts.ts";

/** A signer of a simulated cluster: the assembly of a process, over a disk that outlives its lives. */
export class SignerProcess {
  readonly index: PartyIndex;
  readonly #parts: SharedParts;
  readonly disk: SignerDisk;
  #life: ProcessWorld | undefined;
  #assembled: AssembledSigner | undefined;
  #lives = 0;
  /** whether a fault removed an entry of its store: it has to notice that, and to end */
  hasLostEntry = false;

  constructor(parts: SharedParts, index: PartyIndex) {
    this.#parts = parts;
    this.index = index;
    const chance = chanceOf(parts.seed, `disk of signer-${index}`);
    this.disk = new SignerDisk(chance, (lastsUs) => {
      if (parts.diesInWrite()) this.#dieWithin(lastsUs);
    });
  }

  get name(): string {
    return `signer-${this.index}`;
  }

  /** Starts it from its store, in real time that no virtual time passes for. */
  start(): void {
    if (this.#life !== undefined) return;
    this.#lives += 1;
    const { world } = beginLife(this.#parts, this.name, this.#lives);
    this.#life = world;
    this.disk.takesTime = false;
    const started = this.#assemble(world).catch((error: unknown) => {
      if (world.isAlive() && !this.#endsBy(error)) throw error;
    });
    // its disk may end it while it starts, and nothing answers it then
    const dead = new Promise<void>((resolve) => world.onDeath(resolve));
    this.#parts.settle(Promise.race([started, dead]));
  }

  /** Ends it in order, within a time; it is dead then. */
  async stop(): Promise<void> {
    const life = this.#life;
    if (life === undefined) return;
    await orderlyEnd(life, this.#assembled);
    if (this.#life === life) this.kill();
  }

  kill(): void {
    this.#life?.kill();
    this.#life = undefined;
    this.#assembled = undefined;
    this.#parts.network.cutOff(this.index);
  }

  /** The world of its life; undefined while it is dead. */
  get world(): ProcessWorld | undefined {
    return this.#life;
  }

  #dieWithin(us: number): void {
    const { seed, scheduler, supervise } = this.#parts;
    const life = this.#life;
    const atUs = chanceOf(seed, `${this.name} dies at ${scheduler.nowUs}`).between(0, us);
    scheduler.plan(this.name, atUs, () => {
      if (this.#life !== life) return;
      this.kill();
      supervise(this.name);
    });
  }

  /** Hears of the computations of this life, and adds time and clock. */
  #watchOf(world: ProcessWorld): EngineWatch {
    const { scheduler, watch } = this.#parts;
    const { index: signer, name: process } = this;
    const now = () => ({ atMs: milliseconds(scheduler.nowUs) });
    return {
      decoded: (share) => watch.checks.decoded({ ...share, ...now(), process }),
      opened: (run) => watch.checks.opened({ ...now(), signer, run }),
      partial: (made) =>
        watch.checks.partial({ ...made, ...now(), clocksMs: world.recentClocksMs(), signer }),
    };
  }

  async #assemble(world: ProcessWorld): Promise<void> {
    const { network, keys, members, failed, watch } = this.#parts;
    const { index, name } = this;
    const machine = machineOf(this.#parts, index);
    const identity = insecurePeerKeys(index).identity;
    const records = await openRecordsIn(this.disk.storeFor(world), VAULT_KEY, identity, machine.reader);
    if (!records.ok) throw new RefusedStart(name, records.problem);
    const peers = members.filter((member) => member !== index);
    const assembled = await assembleSigner({
      id: name,
      machine,
      world,
      log: countingLogger("signer", watch),
      failed: (error) => {
        if (world.isAlive() && !this.#endsBy(error)) failed(name, error);
      },
      records: records.value,
      openLinks: (dropped) => mortalLinks(network.linksOf(index, peers, dropped), world),
      openCompute: (listener) =>
        inlineCompute(
          world,
          loggedEngine(
            idealEngine(index, keys, this.#watchOf(world)),
            index,
            watch.sessions,
            (share) => keys.noteShare(share.reveal()).keyId,
          ),
          listener,
        ),
      searchPrimes: async () => new Secret(insecureAuxiliaryPrimes(index)),
      bootId: () => "one boot",
      figures: () => ({ cpuMicroseconds: 0, residentBytes: 0 }),
      serve: async (served) =>
        network.serve(
          index,
          {
            ...served,
            // a paused process acknowledges nothing: its peers send again
            deliver: (from, envelopes) => (world.isPaused() ? "busy" : served.deliver(from, envelopes)),
          },
          world.arrive,
        ),
    });
    if (!assembled.ok) throw new RefusedStart(name, assembled.problem);
    if (this.#life !== world) return;
    this.#assembled = assembled.value;
    this.disk.takesTime = true;
  }

  /** Ends it where a fault of its disk explains the error. @returns false for any other error */
  #endsBy(error: unknown): boolean {
    const isOfDisk = causesOf(error).some((cause) => cause instanceof DiskError);
    const isAltered = this.hasLostEntry && causesOf(error).some(saysAltered);
    if (!isOfDisk && !isAltered) return false;
    this.#parts.trace.note(this.name, `ends by itself: ${wordsOf(error)}`);
    this.kill();
    return true;
  }
}

/** A signer that did not start from its store. */
class RefusedStart extends Error {
  override readonly name = "RefusedStart";
  readonly code: string;

  constructor(name: string, { code, message }: Pick<Problem, "code" | "message">) {
    super(`${name}: ${message}`);
    this.code = code;
  }
}

const saysAltered = (error: unknown): boolean =>
  error instanceof AlteredStore || (error instanceof RefusedStart && error.code === "StoreAltered");

const wordsOf = (error: unknown): string =>
  causesOf(error)
    .map((cause) => (cause instanceof Error ? cause.message : String(cause)))
    .join(": ");

/** An error and its causes. */
const causesOf = (error: unknown): readonly unknown[] =>
  error instanceof Error && error.cause !== undefined ? [error, ...causesOf(error.cause)] : [error];

const machineOf = (parts: SharedParts, self: PartyIndex): SignerConfig => ({
  self,
  secrets: new Secret(insecurePartySecrets(self)),
  roster: new Map(
    parts.members.map((index) => [index, { id: `signer-${index}`, ...insecurePeerKeys(index) }]),
  ),
  threshold: parts.roster.threshold,
  clusterId: parts.roster.clusterId,
  parameters: INSECURE_TEST_PARAMETERS.name,
  authorityKey: parts.authority.publicKey,
  keyImport: "refused",
  keyExport: "refused",
  reader: signingReader(
    FAMILIES,
    parts.chains.map(({ entry }) => entry),
  ),
});

/** A dead signer says nothing more, also where its code goes on with what it had begun. */
const mortalLinks = (links: PeerLinks, world: ProcessWorld): PeerLinks => ({
  send: (to, envelope) => {
    if (world.isAlive()) links.send(to, envelope);
  },
  connected: () => links.connected(),
  close: () => links.close(),
});
