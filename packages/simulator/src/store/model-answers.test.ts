import { setImmediate as turn } from "node:timers/promises";
import { Chance, parsePlan } from "@conclave/chaos";
import { freshDatabase, replayStatements } from "@conclave/platform/testing";
import { ModelServer, type RanStatement } from "@conclave/postgres-model";
import { expect, it } from "vitest";
import { runWorld } from "../world/run-world.ts";
import { migratedDump } from "./migrated-dump.ts";

const PLAN = [
  "orchestrators 3",
  "load 2 transfers a second for 5s on EthereumSepolia",
  "kill signer-2 from 1s to 2s",
  "kill orchestrator-1 from 1s to 2s",
  "kill postgres from 3s to 4s",
];

/** All statements that the database of a world has run. */
const recorded = async (): Promise<readonly RanStatement[]> => {
  const parsed = parsePlan(PLAN.join("\n"));
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join());
  const statements: RanStatement[] = [];
  await runWorld(parsed.plan, "answers", { ran: (statement) => void statements.push(statement) });
  return statements;
};
let world: ReturnType<typeof recorded> | undefined;
const statementsOfWorld = (): ReturnType<typeof recorded> => {
  world ??= recorded();
  return world;
};

it("PostgreSQL answers each statement of a world as the model did, with its overlapping transactions", async () => {
  const statements = await statementsOfWorld();
  expect(statements.length).toBeGreaterThan(500);
  expect(await replayStatements(await freshDatabase("empty"), statements)).toEqual([]);
}, 300_000);

/** An id of a transaction in the model. */
const isVersion = (value: unknown): boolean => typeof value === "string" && /^7000\d{5}$/.test(value);
/** Versions of rows that recent answers had, or one that no row has. */
const versionsIn = (statements: readonly RanStatement[]): readonly string[] => {
  const answers = JSON.stringify(statements.map(({ answer }) => answer));
  const found = [...answers.matchAll(/"version":"(\d+)"/g)].flatMap(([, version]) => version ?? []);
  return found.length === 0 ? ["1"] : found;
};

const VERSIONS_OF = 40;
const CONNECTIONS = 3;
const STATEMENTS = 800;

/** Time that a test lets pass. */
class TrialTime {
  readonly #timers = new Map<() => void, number>();
  nowMs = 0;

  after(ms: number, over: () => void): () => void {
    this.#timers.set(over, this.nowMs + ms);
    return () => void this.#timers.delete(over);
  }

  async pass(ms: number): Promise<void> {
    this.nowMs += ms;
    for (const [over, atMs] of this.#timers) if (atMs <= this.nowMs) over();
    await turn();
  }
}

/** Runs statements on a model. */
class Trial {
  readonly time: TrialTime;
  readonly server: ModelServer;
  readonly ran: readonly RanStatement[];

  private constructor(time: TrialTime, server: ModelServer, ran: readonly RanStatement[]) {
    this.time = time;
    this.server = server;
    this.ran = ran;
  }

  static async open(dump: Awaited<ReturnType<typeof migratedDump>>): Promise<Trial> {
    const [time, ran]: [TrialTime, RanStatement[]] = [new TrialTime(), []];
    const server = await ModelServer.open(
      {
        nowMs: () => time.nowMs,
        after: (ms, over) => time.after(ms, over),
        broke: (error) => {
          throw error;
        },
        ran: (statement) => void ran.push(statement),
      },
      dump,
    );
    return new Trial(time, server, ran);
  }

  /** Runs the statements one by one, at their times. */
  async begin(statements: readonly RanStatement[]): Promise<void> {
    const connection = this.server.connect();
    for (const { text, values, nowMs } of statements) {
      this.time.nowMs = nowMs;
      await connection.query({ text, values }).catch(() => undefined);
    }
  }

  /**
   * Reads all rows: not when migrations were made, which PostgreSQL dates by its own time, nor numbers of rows, of which a statement that
   * waited in vain has taken another number there.
   */
  async readAll({ definitions }: Awaited<ReturnType<typeof migratedDump>>): Promise<void> {
    const reader = this.server.connect();
    for (const definition of definitions) {
      const [, table, columns = ""] = /^create table (\w+) \((.*)\)$/.exec(definition) ?? [];
      if (table === undefined || table === "schema_migrations") continue;
      const read = columns.split(/, (?=")/).filter((column) => !column.includes("as identity"));
      const nameOf = (column: string): string => column.slice(0, column.indexOf(" "));
      const times = read.filter((column) => column.includes(" timestamp"));
      const order = [...read.slice(0, 3), ...times].map(nameOf).join(", ");
      const text = `select ${read.map(nameOf).join(", ")} from ${table} order by ${order}`;
      await reader.query({ text, values: [] });
    }
  }
}

const ENDS = ["begin", "commit", "rollback"];

/**
 * Whether the answer of a statement shows which locks others hold. The replay begins a statement that waited only where it ended, so that
 * PostgreSQL does not have its locks before: beside one that waits no such statement is tried.
 */
const seesLocks = (text: string): boolean => /skip locked|pg_try_advisory/.test(text);

/**
 * Runs the statements of a world up to some moment, and then any of them in any order, several times or never, on a few connections that
 * begin and end transactions as they like. They meet states in which no world is, wait for one another, and fail.
 */
const shuffled = async (seed: number): Promise<readonly RanStatement[]> => {
  const chance = new Chance(seed);
  const known = (await statementsOfWorld()).filter(({ text }) =>
    /^\s*(\(|select|with|insert|update|delete)/i.test(text),
  );
  const dump = await migratedDump();
  const trial = await Trial.open(dump);
  // versions of rows are those of the world here: nothing else has run
  await trial.begin(known.slice(0, chance.between(0, known.length - 1)));
  const connections = Array.from({ length: CONNECTIONS }, () => ({
    connection: trial.server.connect(),
    isBusy: false,
  }));
  for (let number = 0; number < STATEMENTS; number += 1) {
    const used = chance.of(connections);
    await trial.time.pass(chance.between(0, 200));
    if (used.isBusy) continue;
    const { text, values } = chance.share() < 0.1 ? { text: chance.of(ENDS), values: [] } : chance.of(known);
    if (seesLocks(text) && connections.some(({ isBusy }) => isBusy)) continue;
    const versions = versionsIn(trial.ran.slice(-VERSIONS_OF));
    used.isBusy = true;
    used.connection
      .query({ text, values: values.map((value) => (isVersion(value) ? chance.of(versions) : value)) })
      .catch(() => undefined)
      .finally(() => {
        used.isBusy = false;
      });
    await turn();
  }
  for (const { connection } of connections) connection.close();
  await trial.time.pass(60_000);
  await trial.readAll(dump);
  return trial.ran;
};

it.each([1, 2, 3])(
  "PostgreSQL answers statements as the model does in any order and any state (%i)",
  async (seed) => {
    const statements = await shuffled(seed);
    expect(await replayStatements(await freshDatabase("empty"), statements)).toEqual([]);
  },
  300_000,
);
