import type { RanStatement } from "@conclave/postgres-model";
import { Client } from "pg";
import { codeOf } from "../../postgres/connection/away.ts";
import { openDatabase } from "../../postgres/database.ts";
import { migrate } from "../../postgres/migrate.ts";

/** A statement that PostgreSQL answers in another way than the model did. */
export interface Difference {
  /** its place among the statements */
  readonly at: number;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly model: string;
  readonly postgres: string;
}

/** `now()` of this database tells what each connection sets. */
const HANDED_TIME = `
  alter function pg_catalog.now() rename to real_now;
  create function pg_catalog.now() returns timestamptz language sql stable
    return coalesce(nullif(current_setting('conclave.now', true), '')::timestamptz, pg_catalog.real_now());`;
const SET_TIME = "select set_config('conclave.now', $1, false)";

/** A statement that the model let wait in vain waits in vain here too, for a shorter time. */
const LOCK_TIMEOUT_MS = 200;
/** SQLSTATEs of statements that get no lock: which of them it is depends on the time. */
const NO_LOCK: readonly unknown[] = ["55P03", "40P01"];

/** Texts of several statements and of settings answer nothing that could be compared. */
const isCompared = (text: string): boolean => /^\s*(\(|select|with|insert|update|delete)/i.test(text);

/**
 * Runs statements that the model has run on a real PostgreSQL, in the same order, on as many connections and at the same times, and
 * compares the answers. Ids of transactions are taken for the same wherever they stand in the same places.
 * @param url of an empty database that nobody else uses
 */
export const replayStatements = async (
  url: string,
  statements: readonly RanStatement[],
): Promise<readonly Difference[]> => {
  await prepare(url);
  const connections = new ReplayConnections(url);
  const versions = new Map<string, string>();
  const differences: Difference[] = [];
  for (const [at, statement] of statements.entries()) {
    const { text } = statement;
    const answer = await connections.run(statement, versions);
    const [model, postgres] = [mapped(shown(statement.answer, text), versions), shown(answer, text)];
    if (isCompared(text) && model !== postgres)
      differences.push({ at, text, values: statement.values, model, postgres });
  }
  await connections.close();
  return differences;
};

const prepare = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(HANDED_TIME);
  await client.end();
  const database = openDatabase({ url, name: "replay" });
  await migrate(database);
  await database.close();
};

/** Connections to PostgreSQL: each transaction has one of its own. */
class ReplayConnections {
  readonly #url: string;
  readonly #open = new Map<number, Client>();
  readonly #idle: Client[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** @returns the answer, or the SQLSTATE of the error */
  async run(statement: RanStatement, versions: Map<string, string>): Promise<unknown> {
    const { connection, text, nowMs } = statement;
    const known = this.#open.get(connection);
    const client = known ?? this.#idle.pop() ?? (await this.#connect());
    if (known === undefined) await client.query(SET_TIME, [new Date(nowMs).toISOString()]);
    const values = statement.values.map((value) => translated(value, versions));
    const answer = await client.query({ text, values }).catch(async (error: unknown) => {
      // PostgreSQL reports an error before it frees the locks of the transaction; it answers nothing else before it has
      await client.query("");
      return codeOf(error) ?? String(error);
    });
    learn(statement.answer, answer, versions);
    if (text === "begin") this.#open.set(connection, client);
    else if (text === "commit" || text === "rollback") this.#open.delete(connection);
    if (!this.#open.has(connection)) this.#idle.push(client);
    return answer;
  }

  async #connect(): Promise<Client> {
    const client = new Client({ connectionString: this.#url, lock_timeout: LOCK_TIMEOUT_MS });
    await client.connect();
    return client;
  }

  async close(): Promise<void> {
    for (const client of [...this.#open.values(), ...this.#idle]) await client.end();
  }
}

const VERSION = /^7000\d{5}$/;

const translated = (value: unknown, versions: ReadonlyMap<string, string>): unknown =>
  typeof value === "string" && VERSION.test(value) ? (versions.get(value) ?? value) : value;

const mapped = (text: string, versions: ReadonlyMap<string, string>): string =>
  text.replace(/7000\d{5}/g, (version) => versions.get(version) ?? version);

/** Learns which id of PostgreSQL stands where the model has one. */
const learn = (model: unknown, postgres: unknown, versions: Map<string, string>): void => {
  if (typeof model === "string" && VERSION.test(model) && typeof postgres === "string") {
    versions.set(model, postgres);
    return;
  }
  if (typeof model !== "object" || model === null || typeof postgres !== "object" || postgres === null)
    return;
  for (const [key, value] of Object.entries(model)) learn(value, Reflect.get(postgres, key), versions);
};

/** A text of an answer that is the same for equal answers. Rows without an order are sorted. */
const shown = (answer: unknown, text: string): string => {
  if (typeof answer === "string") return NO_LOCK.includes(answer) ? "no lock" : answer;
  const rows: unknown = Reflect.get(Object(answer), "rows");
  const count: unknown = Reflect.get(Object(answer), "rowCount");
  const lines = (Array.isArray(rows) ? rows : []).map((row: unknown) => JSON.stringify(plain(row)));
  if (!/order by [^()]*(\([^()]*\)[^()]*)*$/.test(text)) lines.sort();
  return [`${String(count ?? 0)} rows`, ...lines].join("\n");
};

const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (value instanceof Date || typeof value !== "object" || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
};
