import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

export interface NatsServer {
  readonly url: string;
  readonly token: string;
  /** Kills the server as a crash would; the JetStream store stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same store. */
  start(): Promise<void>;
  /** Removes the JetStream store; for a killed server. */
  forget(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** Starts nats-server from PATH with JetStream, a token and its own store in a temporary folder. */
export const startNatsServer = async (): Promise<NatsServer> => {
  const folder = await mkdtemp(join(tmpdir(), "conclave-nats-"));
  const port = await freePort();
  const token = randomBytes(16).toString("hex");
  const config = join(folder, "nats.conf");
  const lines = [
    `listen: "127.0.0.1:${port}"`,
    `authorization { token: "${token}" }`,
    `jetstream { store_dir: "${folder}" }`,
  ];
  await writeFile(config, `${lines.join("\n")}\n`, { mode: 0o600 });
  let server = await launch(config);
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    token,
    kill,
    start: async () => {
      server = await launch(config);
    },
    forget: () => rm(join(folder, "jetstream"), { recursive: true, force: true }),
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Resolves once the server reports that it is ready. */
const launch = async (config: string): Promise<ChildProcess> => {
  const server = spawn("nats-server", ["-c", config], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.on("exit", (code) => reject(new Error(`nats-server ended with ${code}:\n${said}`)));
    server.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (said.includes("Server is ready")) resolve();
    });
  });
  server.stderr?.removeAllListeners("data").resume();
  return server;
};
