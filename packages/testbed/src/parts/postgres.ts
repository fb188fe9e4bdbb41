import { spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { postgresFolder } from "../host/binaries.ts";
import { identify } from "../host/process-identity.ts";
import type { ProcessSpec } from "../host/supervised-process.ts";
import { LaunchError } from "../launch-error.ts";
import type { StateLayout } from "../state/layout.ts";
import { keptSecret, writePrivate } from "../state/private-file.ts";
import { type PostgresHome, postgresHome } from "./postgres-user.ts";

const DATABASE = "conclave";
const OWNER = "conclave";
/** the login of orchestrators; the gateway grants it the rights that they need */
export const ORCHESTRATOR_LOGIN = "conclave_orchestrator";
const STOP_DEADLINE_MS = 5_000;
export const POSTGRES_READY = /database system is ready to accept connections/;

export interface PostgresPart {
  readonly spec: ProcessSpec;
  readonly databaseUrl: string;
  readonly orchestratorDatabaseUrl: string;
}

const environment = (): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  LC_ALL: "C",
  TZ: "UTC",
});

interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
  readonly input?: string;
}

/** Runs one of PostgreSQL's programs as PostgreSQL's user, and waits for its end. */
const run = (home: PostgresHome, { program, args, input }: Invocation): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(join(home.programs, "bin", program), args, {
      cwd: home.programs,
      env: environment(),
      stdio: ["pipe", "pipe", "pipe"],
      ...(home.user ?? {}),
    });
    const output: string[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString("utf8")));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk.toString("utf8")));
    const failed = (why: string) =>
      reject(
        new LaunchError(
          `${program} failed: ${why}\n${output.join("")}`,
          "Set DATABASE_URL to use another PostgreSQL.",
        ),
      );
    child.once("error", (cause) => failed(cause.message));
    child.once("exit", (code) => (code === 0 ? resolve() : failed(`exit code ${code}`)));
    child.stdin.end(input ?? "");
  });

const give = (home: PostgresHome, path: string): void => {
  if (home.user !== undefined) chownSync(path, home.user.uid, home.user.gid);
};

/** Creates the data folder at first use. A folder that a crash left incomplete is created again. */
const initialise = async (home: PostgresHome, password: string): Promise<void> => {
  const done = join(home.data, "conclave.initialised");
  if (existsSync(done)) return;
  rmSync(home.data, { recursive: true, force: true });
  mkdirSync(home.data, { recursive: true, mode: 0o700 });
  give(home, home.data);
  const passwordFile = `${home.data}.password`;
  writePrivate(passwordFile, password);
  give(home, passwordFile);
  try {
    const args = [
      `--pgdata=${home.data}`,
      "--auth=scram-sha-256",
      `--username=${OWNER}`,
      `--pwfile=${passwordFile}`,
    ];
    await run(home, { program: "initdb", args: [...args, "--encoding=UTF8", "--locale=C", "--no-sync"] });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  const single = ["--single", "-D", home.data, "postgres"];
  await run(home, { program: "postgres", args: single, input: `create database ${DATABASE}\n` });
  writePrivate(done, "");
  give(home, done);
};

/** Adds the orchestrators' login; older versions made data without it. */
const addOrchestrator = async (home: PostgresHome, password: string): Promise<void> => {
  const done = join(home.data, "conclave.orchestrator");
  if (existsSync(done)) return;
  const single = ["--single", "-D", home.data, DATABASE];
  // constant words and hexadecimal digits, which need no quoting
  const input = `create role ${ORCHESTRATOR_LOGIN} login password '${password}'\n`;
  await run(home, { program: "postgres", args: single, input });
  writePrivate(done, "");
  give(home, done);
};

/**
 * Removes the lock file that a crash of PostgreSQL leaves, if its process has ended. In a container without an init
 * process, an ended process may not be reaped, and PostgreSQL takes it for a live one. PostgreSQL's own check of shared
 * memory still protects the data.
 */
const removeStaleLock = (home: PostgresHome): void => {
  const file = join(home.data, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n", 1)[0]);
  if (identify(pid) === undefined) rmSync(file);
};

/** Creates PostgreSQL's data at first use. @returns how to run the server. Rejects with a LaunchError */
export const preparePostgres = async (layout: StateLayout, port: number): Promise<PostgresPart> => {
  mkdirSync(layout.postgres, { recursive: true, mode: 0o755 });
  chmodSync(layout.postgres, 0o755);
  const password = keptSecret(join(layout.postgres, "password"));
  const home = postgresHome(postgresFolder(), join(layout.postgres, "data"));
  const orchestratorPassword = keptSecret(join(layout.orchestrator, "database.password"));
  await initialise(home, password);
  removeStaleLock(home);
  await addOrchestrator(home, orchestratorPassword);
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    shared_buffers: "32MB",
    max_connections: "100",
    log_min_messages: "warning",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const urlOf = (login: string, secret: string) =>
    `postgres://${login}:${secret}@127.0.0.1:${port}/${DATABASE}`;
  return {
    databaseUrl: urlOf(OWNER, password),
    orchestratorDatabaseUrl: urlOf(ORCHESTRATOR_LOGIN, orchestratorPassword),
    spec: {
      name: "postgres",
      command: join(home.programs, "bin", "postgres"),
      args: ["-D", home.data, "-p", String(port), ...options],
      env: environment(),
      cwd: home.data,
      logFile: layout.log("postgres"),
      ...(home.user ? { user: home.user } : {}),
      // "fast" shutdown: rolls back open transactions, and leaves consistent data
      stopSignal: "SIGINT",
      stopDeadlineMs: STOP_DEADLINE_MS,
    },
  };
};
