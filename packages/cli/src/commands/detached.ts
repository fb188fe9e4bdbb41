import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { createCluster, LaunchError, type Progress } from "@conclave/testbed";
import { z } from "zod";
import { banner, bannerData } from "../banner.ts";
import { clusterFolder } from "../cluster-folder.ts";
import { nextStopRequest } from "../stop-request.ts";
import { clusterRequest, letKeysPass, tellOnStderr, type UpOptions } from "./up.ts";

const messageSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("progress"), text: z.string() }),
  z.object({ kind: z.literal("ready"), text: z.string() }),
  z.object({ kind: z.literal("failed"), message: z.string(), remedy: z.string() }),
]);
type Message = z.infer<typeof messageSchema>;

/** Tells the starting terminal, as long as it listens. */
const tellParent = (message: Message): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve();
    process.send(message, () => resolve());
  });

/** The background half of `up --detach`: holds the cluster until it is told to stop by SIGTERM. */
export const supervise = async (options: UpOptions): Promise<void> => {
  const stop = nextStopRequest();
  process.on("disconnect", () => undefined);
  const onProgress = (progress: Progress) => {
    tellOnStderr(progress);
    void tellParent({ kind: "progress", text: progress.text });
  };
  try {
    const request = clusterRequest(options, process.env, onProgress);
    await using cluster = await createCluster({ ...request, signal: stop.signal });
    await letKeysPass(cluster, options);
    const states = await cluster.signerStates();
    const stopHint = "It runs in the background; `make down` stops it, the state stays.";
    const text = options.json
      ? bannerData(cluster.description, states)
      : banner(cluster.description, states, stopHint);
    await tellParent({ kind: "ready", text });
    if (process.connected) process.disconnect();
    await stop.requested;
  } catch (cause) {
    if (stop.signal.aborted) return;
    const remedy = cause instanceof LaunchError ? cause.remedy : "";
    await tellParent({
      kind: "failed",
      message: cause instanceof Error ? cause.message : String(cause),
      remedy,
    });
    throw cause;
  } finally {
    // an open channel would keep this process alive
    if (process.connected) process.disconnect();
  }
};

const argumentsOf = (options: UpOptions): readonly string[] => [
  ...["supervise", "--name", options.name],
  ...["--signers", String(options.signers), "--threshold", String(options.threshold)],
  ...["--log-level", options.logLevel],
  ...(options.json ? ["--json"] : []),
  ...(options.allowImport ? ["--allow-import"] : []),
  ...(options.allowExport ? ["--allow-export"] : []),
];

const background = (options: UpOptions): ChildProcess => {
  const logs = join(clusterFolder(options.name), "logs");
  mkdirSync(logs, { recursive: true });
  const log = openSync(join(logs, "supervisor.log"), "a", 0o600);
  const main = process.argv[1];
  if (main === undefined) throw new Error("this program has no file");
  const child = spawn(process.execPath, [...process.execArgv, main, ...argumentsOf(options)], {
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  return child;
};

/** Resolves when the background process says that the cluster is ready, rejects when it says otherwise or ends. */
const outcome = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.on("message", (raw) => {
      const message = messageSchema.parse(raw);
      switch (message.kind) {
        case "progress":
          process.stderr.write(`${message.text}\n`);
          return;
        case "ready":
          process.stdout.write(`${message.text}\n`);
          return resolve();
        case "failed":
          return reject(new LaunchError(message.message, message.remedy));
      }
    });
    child.once("exit", () =>
      reject(
        new LaunchError(
          "the cluster ended while it was starting",
          "See supervisor.log in its folder of logs.",
        ),
      ),
    );
  });

/**
 * `conclave up --detach`: starts a background process that holds the cluster, shows its progress, and returns once
 * the cluster is ready. Rejects with a LaunchError when it does not come to that.
 */
export const upDetached = async (options: UpOptions): Promise<void> => {
  const child = background(options);
  // Ctrl-C while it starts stops the start
  const interrupted = () => child.kill("SIGTERM");
  process.once("SIGINT", interrupted);
  process.once("SIGTERM", interrupted);
  try {
    await outcome(child);
  } finally {
    if (child.connected) child.disconnect();
    child.unref();
  }
};
