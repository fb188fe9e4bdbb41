import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "@conclave/testbed/launch";
import { clusterFolder } from "../cluster-folder.ts";
import { supervisorMessageSchema } from "../supervisor-message.ts";
import type { UpOptions } from "./up.ts";

const argumentsOf = (options: UpOptions): readonly string[] => [
  ...["supervise", "--name", options.name],
  ...(options.signers === undefined ? [] : ["--signers", String(options.signers)]),
  ...(options.threshold === undefined ? [] : ["--threshold", String(options.threshold)]),
  ...(options.port === undefined ? [] : ["--port", String(options.port)]),
  ...["--wallets", String(options.wallets), "--log-level", options.logLevel],
  ...(options.json ? ["--json"] : []),
  ...(options.allowImport ? ["--allow-import"] : []),
  ...(options.allowExport ? ["--allow-export"] : []),
  ...["--networks", options.networks === "all" ? "all" : options.networks.join(",")],
  ...(options.nodes === undefined ? [] : ["--nodes", options.nodes]),
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

/** Resolves when the background process reports that the cluster is ready; rejects if it reports a failure or ends. */
const outcome = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.on("message", (raw) => {
      const message = supervisorMessageSchema.parse(raw);
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
 * `conclave up --detach`: starts a background process that runs the cluster, shows its progress, and returns once the cluster is
 * ready. Rejects with a LaunchError if the start fails.
 */
export const upDetached = async (options: UpOptions): Promise<void> => {
  const child = background(options);
  // Ctrl-C during the start stops it
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
