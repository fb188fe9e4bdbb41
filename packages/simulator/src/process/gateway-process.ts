import { FAMILIES } from "@conclave/chains";
import { fail, NO_PRICES, type Result } from "@conclave/custody";
import {
  type AssembledGateway,
  assembleGateway,
  type Dependencies,
  type GatewayParts,
  NO_IDENTITY_PROVIDERS,
  problemOf,
} from "@conclave/gateway";
import { bootstrapOrganisation, type Database, makeMetrics, Outage } from "@conclave/platform";
import { nodesOfLife } from "../chain/world-chains.ts";
import type { SimulatedOrganisation } from "../client/organisation.ts";
import { connectProcessBus } from "../link/process-bus.ts";
import { openProcessDatabase } from "../store/process-database.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import { type Entry, microseconds } from "../time/scheduler.ts";
import { countingLogger } from "../watch/counting-logger.ts";
import { orderlyEnd } from "./orderly-end.ts";
import { beginLife, type ProcessLife, type SharedParts } from "./parts.ts";

/** The pause before a gateway that could not start is started again. */
const RESTART_MS = 1_000;
const AGAIN_MS = 250;

/** A request of a client: a call of the use case that the HTTP interface calls for it. */
export type UseCase<T> = (dependencies: Dependencies) => Promise<Result<T>>;

/** A gateway that takes requests. */
export interface GatewayService {
  /** @param answered hears the answer; it hears nothing where the gateway dies meanwhile */
  readonly serve: <T>(useCase: UseCase<T>, answered: (answer: Result<T>) => void) => void;
}

/** A gateway of a simulated cluster: the assembly of a process, over links to the servers. Clients call its use cases. */
export class GatewayProcess {
  readonly name: string;
  readonly #parts: SharedParts;
  #life: ProcessWorld | undefined;
  #lives = 0;
  #service: GatewayService | undefined;
  #assembled: AssembledGateway | undefined;
  #restart: Entry | undefined;

  constructor(parts: SharedParts, number: number) {
    this.#parts = parts;
    this.name = `gateway-${number}`;
  }

  start(): void {
    if (this.#life !== undefined) return;
    this.#restart?.cancel();
    this.#lives += 1;
    const life = beginLife(this.#parts, this.name, this.#lives);
    this.#life = life.world;
    // it waits for answers that take virtual time
    void assembleGateway(partsOf(this.#parts, life)).then(
      (assembled) => {
        if (this.#life !== life.world) return;
        this.#assembled = assembled;
        this.#service = serviceOf(this.#parts, life, assembled.dependencies);
      },
      (error: unknown) => {
        if (life.world.isAlive()) this.#endedBy(error);
      },
    );
  }

  /** Ends it in order, within a time; it is dead then. It takes no further request meanwhile. */
  async stop(): Promise<void> {
    this.#restart?.cancel();
    this.#service = undefined;
    const life = this.#life;
    if (life === undefined) return;
    this.#assembled?.endWaits();
    await orderlyEnd(life, this.#assembled);
    if (this.#life === life) this.kill();
  }

  kill(): void {
    this.#restart?.cancel();
    this.#life?.kill();
    this.#life = undefined;
    this.#service = undefined;
    this.#assembled = undefined;
  }

  /** The world of its life; undefined while it is dead. */
  get world(): ProcessWorld | undefined {
    return this.#life;
  }

  /** Undefined until it has started, and while it is dead. */
  get service(): GatewayService | undefined {
    return this.#service;
  }

  /** A process that cannot start for want of a server ends, and its supervisor starts it again. */
  #endedBy(error: unknown): void {
    this.kill();
    if (!(error instanceof Outage)) this.#parts.failed(this.name, error);
    this.#restart = this.#parts.scheduler.plan(this.name, microseconds(RESTART_MS), () => this.start());
  }
}

const serviceOf = (
  parts: SharedParts,
  { name, world }: ProcessLife,
  dependencies: Dependencies,
): GatewayService => ({
  serve: (useCase, answered) => {
    world.plan(0, () => {
      void answerOf(dependencies, useCase).then((answer) => {
        if (!world.isAlive()) return;
        if (!answer.ok && answer.problem.code === "Internal")
          parts.failed(name, answer.problem.details["error"]);
        answered(answer);
      });
    });
  },
});

/**
 * The answer that the HTTP interface gives: a thrown refusal or outage is a problem. Organisations take no turns (`onBehalfOf`): the
 * AsyncLocalStorage that carries them would slow down each promise of all processes of the world.
 */
const answerOf = async <T>(dependencies: Dependencies, useCase: UseCase<T>): Promise<Result<T>> => {
  try {
    return await useCase(dependencies);
  } catch (error) {
    const problem = problemOf(error);
    return problem.code === "Internal" ? fail("Internal", { error }) : { ok: false, problem };
  }
};

/** Of a part that no request of a world uses. */
const absent = (): Promise<never> => Promise.reject(new Error("a simulated gateway has no such part"));

/** Tokens of processes are signed on threads; clients of a world call use cases, and show none. */
const NO_TOKENS: GatewayParts["tokens"] = {
  verify: async () => fail("TokenInvalid"),
  issuer: { bearer: absent, challenge: absent, read: absent },
  actions: { issue: absent, read: absent },
};

const partsOf = (parts: SharedParts, life: ProcessLife): GatewayParts => {
  const { world, linkTo } = life;
  const { roster, chains, store, statementFate: fate, authority, broker } = parts;
  const [database, bus] = [linkTo("database"), linkTo("bus")];
  return {
    world,
    roster,
    networks: chains.map(({ entry }) => entry),
    families: FAMILIES,
    nodes: nodesOfLife(chains, life),
    prices: NO_PRICES,
    authorityKey: authority.privateKey,
    tokens: NO_TOKENS,
    decoys: () => [],
    identityProviders: NO_IDENTITY_PROVIDERS,
    webhooks: { secrets: parts.webhookSecrets(world), send: absent, allowPrivateAddresses: true },
    relyingParties: [{ id: "localhost", origin: "http://localhost:8080" }],
    pageOrigins: [],
    proxies: { check: () => false },
    userActionsRequired: false,
    requestsPerMinute: undefined,
    logger: countingLogger("gateway", parts.watch),
    metrics: makeMetrics("gateway"),
    openDatabase: ({ announce }) => openProcessDatabase({ store, world, link: database, announce, fate }),
    prepareDatabase: (opened) => bootstrap(parts, world, opened),
    connectBus: async () => connectProcessBus(broker, world, bus),
  };
};

/** Adds the organisations of the configuration once the database answers. The database of a world is migrated. */
const bootstrap = async (
  { organisation, otherOrganisation }: SharedParts,
  world: ProcessWorld,
  database: Database,
): Promise<void> => {
  for (const each of [organisation, otherOrganisation]) await enter(each, world, database);
};

const enter = async (
  { id: orgId, name, administrator }: SimulatedOrganisation,
  world: ProcessWorld,
  database: Database,
): Promise<void> => {
  const admin = { orgId, userId: administrator, username: "administrator" };
  for (;;) {
    try {
      await bootstrapOrganisation(
        world,
        database,
        { id: orgId, name },
        { users: [admin], serviceAccounts: [] },
      );
      return;
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      await world.sleep(AGAIN_MS);
    }
  }
};
