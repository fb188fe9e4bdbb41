import { createCluster, LaunchError, type StartProgress, typedCommand } from "@conclave/testbed";
import { nextStopRequest } from "../stop-request.ts";
import type { SupervisorMessage } from "../supervisor-message.ts";
import { obeyUntilStopped } from "./obey-until-stopped.ts";
import { clusterRequest, completeStart, printProgress, type UpOptions } from "./up.ts";

/** Sends a message to the process in the terminal, while that is connected. */
const sendToParent = (message: SupervisorMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve();
    process.send(message, () => resolve());
  });

/** The background process of `up --detach`: runs the cluster until SIGTERM. */
export const supervise = async (options: UpOptions): Promise<void> => {
  const stop = nextStopRequest();
  process.on("disconnect", () => undefined);
  const onProgress = (progress: StartProgress) => {
    printProgress(progress);
    void sendToParent({ kind: "progress", text: progress.text });
  };
  try {
    const request = clusterRequest(options, process.env, onProgress);
    await using cluster = await createCluster({ ...request, signal: stop.signal });
    const stopHint = `It runs in the background; \`${typedCommand("down", options.name)}\` stops it, the state stays.`;
    const text = await completeStart(cluster, options, stopHint);
    await obeyUntilStopped(cluster, stop, async () => {
      await sendToParent({ kind: "ready", text });
      if (process.connected) process.disconnect();
    });
  } catch (cause) {
    if (stop.signal.aborted) return;
    const remedy = cause instanceof LaunchError ? cause.remedy : "";
    await sendToParent({
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
