import { FAMILIES, signingReader } from "@conclave/chains";
import type { SignerConfig } from "@conclave/cluster";
import { makeLogger } from "@conclave/platform/logger";
import { memoryVaultStore } from "@conclave/platform/testing";
import type { VaultStore } from "@conclave/platform/vault";
import { assembleSigner, openRecordsIn, type PeerLinks } from "@conclave/signer";
import { inlineCompute } from "@conclave/signer/testing";
import { type PartyIndex, Secret } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import { insecureAuxiliaryPrimes, insecurePartySecrets, insecurePeerKeys } from "@conclave/threshold/testing";
import { idealEngine } from "../engine/ideal-engine.ts";
import { ifAlive } from "../link/if-alive.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import { beginLife, type SharedParts } from "./parts.ts";

const VAULT_KEY = new Secret("5a".repeat(32));
const silent = makeLogger({ name: "signer", level: "silent" });

/** A signer of a simulated cluster: the assembly of a process, over a store that outlives its lives. */
export class SignerProcess {
  readonly index: PartyIndex;
  readonly #parts: SharedParts;
  readonly #store = memoryVaultStore();
  #life: ProcessWorld | undefined;
  #lives = 0;

  constructor(parts: SharedParts, index: PartyIndex) {
    this.#parts = parts;
    this.index = index;
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
    this.#parts.settle(this.#assemble(world));
  }

  kill(): void {
    this.#life?.kill();
    this.#life = undefined;
    this.#parts.network.cutOff(this.index);
  }

  /** The world of its life; undefined while it is dead. */
  get world(): ProcessWorld | undefined {
    return this.#life;
  }

  async #assemble(world: ProcessWorld): Promise<void> {
    const { network, keys, members, failed } = this.#parts;
    const { index, name } = this;
    const machine = machineOf(this.#parts, index);
    const identity = insecurePeerKeys(index).identity;
    const records = await openRecordsIn(mortalStore(this.#store, world), VAULT_KEY, identity, machine.reader);
    if (!records.ok) throw new Error(`${name}: ${records.problem.message}`);
    const peers = members.filter((member) => member !== index);
    const assembled = await assembleSigner({
      id: name,
      machine,
      world,
      log: silent,
      failed: (error) => {
        if (world.isAlive()) failed(name, error);
      },
      records: records.value,
      openLinks: (dropped) => mortalLinks(network.linksOf(index, peers, dropped), world),
      openCompute: (listener) => inlineCompute(world, idealEngine(index, keys), listener),
      searchPrimes: async () => new Secret(insecureAuxiliaryPrimes(index)),
      bootId: () => "one boot",
      figures: () => ({ cpuMicroseconds: 0, residentBytes: 0 }),
      serve: async (served) => network.serve(index, served),
    });
    if (!assembled.ok) throw new Error(`${name}: ${assembled.problem.message}`);
  }
}

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
  reader: signingReader(FAMILIES, [parts.chain.entry]),
});

/** A dead signer says nothing more, also where its code goes on with what it had begun. */
const mortalLinks = (links: PeerLinks, world: ProcessWorld): PeerLinks => ({
  send: (to, envelope) => {
    if (world.isAlive()) links.send(to, envelope);
  },
  connected: () => links.connected(),
  close: () => links.close(),
});

/** A dead signer writes nothing more, and hears of nothing that it wrote. */
const mortalStore = ({ table, groupKeys }: VaultStore, world: ProcessWorld): VaultStore => {
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    world.isAlive() ? ifAlive(world, work()) : new Promise(() => undefined);
  return {
    groupKeys,
    table: {
      get: (name) => alive(() => table.get(name)),
      getSync: (name) => table.getSync(name),
      put: (...given) => alive(() => table.put(...given)),
      del: (...given) => alive(() => table.del(...given)),
      batch: (...given) => alive(() => table.batch(...given)),
      iterator: (range) => table.iterator(range),
      close: () => alive(() => table.close()),
    },
  };
};
