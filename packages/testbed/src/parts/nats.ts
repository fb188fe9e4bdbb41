import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { natsBinary } from "../host/binaries.ts";
import type { ProcessSpec } from "../host/supervised-process.ts";
import type { StateLayout } from "../state/layout.ts";
import { keptSecret, writePrivate } from "../state/private-file.ts";

const STOP_DEADLINE_MS = 5_000;
/** size limit of JetStream's file store in a development cluster */
const MAX_STORE = "1GB";
const MAX_MEMORY = "64MB";
const CONNECT_TIMEOUT_MS = 250;

export interface NatsPart {
  readonly spec: ProcessSpec;
  readonly url: string;
  readonly token: string;
}

/** The folder of the bus's store; it contains nothing else. */
export const natsStore = (layout: StateLayout): string => join(layout.nats, "store");

/**
 * Makes the configuration. The token is in a private file, because every user of the machine can list a process's
 * arguments.
 */
const configuration = (layout: StateLayout, port: number, token: string, version: string): string =>
  [
    `listen: "127.0.0.1:${port}"`,
    `authorization { token: "${token}" }`,
    `jetstream { store_dir: ${JSON.stringify(natsStore(layout))}, max_file_store: ${MAX_STORE}, max_memory_store: ${MAX_MEMORY}${syncing(version)} }`,
    "",
  ].join("\n");

/**
 * A setting that has the server acknowledge an event only after it is on disk. It exists from 2.10 on; an older server
 * would refuse to start with it.
 */
const syncing = (version: string): string => {
  const [, major = "0", minor = "0"] = /v(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10) ? ", sync_interval: always" : "";
};

export const prepareNats = (layout: StateLayout, port: number): NatsPart => {
  mkdirSync(layout.nats, { recursive: true, mode: 0o700 });
  const token = keptSecret(join(layout.nats, "token"));
  const file = join(layout.nats, "nats-server.conf");
  const command = natsBinary();
  const version = execFileSync(command, ["--version"], { encoding: "utf8" });
  writePrivate(file, configuration(layout, port, token, version));
  return {
    url: `nats://127.0.0.1:${port}`,
    token,
    spec: {
      name: "nats",
      command,
      args: ["-c", file],
      env: { PATH: process.env["PATH"] ?? "" },
      cwd: layout.nats,
      logFile: layout.log("nats"),
      stopSignal: "SIGTERM",
      stopDeadlineMs: STOP_DEADLINE_MS,
    },
  };
};

/** Whether a server on this loopback port accepts connections and sends a greeting, as NATS does with its INFO line. */
export const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: CONNECT_TIMEOUT_MS });
    const answer = (greeted: boolean) => {
      socket.destroy();
      resolve(greeted);
    };
    socket.once("data", () => answer(true));
    socket.once("timeout", () => answer(false));
    socket.once("error", () => answer(false));
  });
