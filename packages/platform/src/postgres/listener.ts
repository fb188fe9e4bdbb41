import { setTimeout as pause } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import type { ConnectionBounds } from "./connection/bounds.ts";
import { closeClient } from "./connection/close.ts";

const RECONNECT_PAUSE_MS = 1_000;

export interface Subscription {
  stop(): Promise<void>;
}

/** How often a listener checks its connection, and how long it waits for it to close. */
type Patience = Pick<ConnectionBounds, "askMs" | "closeMs">;

/**
 * Listens to a NOTIFY channel on a connection of its own, and reconnects without limit. Notifications during a break
 * are lost, so it calls back once after every connection, and listeners read the table again. A silent connection is
 * checked now and then, because without notifications nothing else would reveal that the host has vanished.
 */
export const listen = (
  config: ClientConfig,
  patience: Patience,
  channel: string,
  onNotify: () => void,
): Subscription => {
  if (!/^[a-z_]+$/.test(channel)) throw new RangeError(`not a channel name: ${channel}`);
  const stopping = new AbortController();
  const running = hearForEver({ config, patience, channel, onNotify }, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

interface Listening {
  readonly config: ClientConfig;
  readonly patience: Patience;
  readonly channel: string;
  readonly onNotify: () => void;
}

const hearForEver = async (listening: Listening, stopping: AbortSignal): Promise<void> => {
  while (!stopping.aborted) {
    await hearUntilItBreaks(listening, stopping);
    await pause(RECONNECT_PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
};

/** Resolves when the connection breaks, cannot be made, or is not needed any more. */
const hearUntilItBreaks = async (
  { config, patience, channel, onNotify }: Listening,
  stopping: AbortSignal,
): Promise<void> => {
  const client = new Client(config);
  const over = new AbortController();
  const end = () => over.abort();
  client.on("end", end);
  client.on("error", end);
  stopping.addEventListener("abort", end, { once: true });
  client.on("notification", onNotify);
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    onNotify();
    while (!over.signal.aborted) {
      await pause(patience.askMs, undefined, { signal: over.signal }).catch(() => undefined);
      if (!over.signal.aborted) await client.query("select 1");
    }
  } catch {
    // the database does not answer; the caller pauses and tries again
  } finally {
    stopping.removeEventListener("abort", end);
    await closeClient(client, patience.closeMs);
  }
};
