import { type AssembledOrchestrator, assembleOrchestrator } from "@conclave/orchestrator";
import { memorySigner } from "@conclave/signer/testing";
import { nodesOfLife } from "../chain/world-chains.ts";
import { connectProcessBus } from "../link/process-bus.ts";
import { openProcessDatabase } from "../store/process-database.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import { countingLogger } from "../watch/counting-logger.ts";
import { mortalSigner } from "./mortal-signer.ts";
import { orderlyEnd } from "./orderly-end.ts";
import { beginLife, type ProcessLife, type SharedParts } from "./parts.ts";
import { watchedSigner } from "./watched-signer.ts";

/** An orchestrator of a simulated cluster: the assembly of a process, over links to the servers. */
export class OrchestratorProcess {
  readonly name: string;
  readonly #parts: SharedParts;
  #life: ProcessWorld | undefined;
  #assembled: AssembledOrchestrator | undefined;
  #lives = 0;

  constructor(parts: SharedParts, number: number) {
    this.#parts = parts;
    this.name = `orchestrator-${number}`;
  }

  start(): void {
    if (this.#life !== undefined) return;
    this.#lives += 1;
    const life = beginLife(this.#parts, this.name, this.#lives);
    this.#life = life.world;
    // it waits for answers that take virtual time
    void this.#assemble(life).then(
      (assembled) => {
        if (this.#life === life.world) this.#assembled = assembled;
      },
      (error: unknown) => {
        if (life.world.isAlive()) this.#parts.failed(this.name, error);
      },
    );
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
  }

  /** The world of its life; undefined while it is dead. */
  get world(): ProcessWorld | undefined {
    return this.#life;
  }

  #assemble(life: ProcessLife): Promise<AssembledOrchestrator> {
    const { world, linkTo } = life;
    const {
      store,
      statementFate: fate,
      broker,
      chains,
      network,
      roster,
      members,
      endpoints,
      watch,
      presignatureStock,
    } = this.#parts;
    const [database, bus, webhooks] = [linkTo("database"), linkTo("bus"), linkTo("endpoints")];
    return assembleOrchestrator({
      world,
      roster,
      networks: chains.map(({ entry }) => entry),
      nodes: nodesOfLife(chains, life),
      signers: members.map((index) =>
        watchedSigner(mortalSigner(memorySigner(network, index, this.name), world), this.name, watch),
      ),
      openDatabase: ({ announce }) => openProcessDatabase({ store, world, link: database, announce, fate }),
      connectBus: async () => connectProcessBus(broker, world, bus),
      logger: countingLogger("orchestrator", watch),
      presignatures: presignatureStock,
      webhooks: {
        secrets: this.#parts.webhookSecrets(world),
        send: (...delivery) => webhooks.ask("deliver", () => endpoints.send(...delivery)),
      },
    });
  }
}
