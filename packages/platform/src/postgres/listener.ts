import { setTimeout as pause } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";

const RECONNECT_PAUSE_MS = 1_000;

export interface Subscription {
  stop(): Promise<void>;
}

/**
 * Listens to a NOTIFY channel on a connection of its own, and reconnects without limit. Notifications during a break are lost,
 * so it calls back once after every connection, and listeners read the table again.
 */
export const listen = (config: ClientConfig, channel: string, onNotify: () => void): Subscription => {
  if (!/^[a-z_]+$/.test(channel)) throw new RangeError(`not a channel name: ${channel}`);
  const stopping = new AbortController();
  const running = hearForEver(config, channel, onNotify, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

const hearForEver = async (
  config: ClientConfig,
  channel: string,
  onNotify: () => void,
  stopping: AbortSignal,
): Promise<void> => {
  while (!stopping.aborted) {
    await hearUntilItBreaks(config, channel, onNotify, stopping);
    await pause(RECONNECT_PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
};

/** Resolves when the connection breaks, cannot be made, or is not needed any more. */
const hearUntilItBreaks = async (
  config: ClientConfig,
  channel: string,
  onNotify: () => void,
  stopping: AbortSignal,
): Promise<void> => {
  const client = new Client({ ...config, keepAlive: true });
  const ended = new Promise<void>((resolve) => {
    client.on("end", resolve);
    client.on("error", () => resolve());
    stopping.addEventListener("abort", () => resolve(), { once: true });
  });
  client.on("notification", onNotify);
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    onNotify();
    await ended;
  } catch {
    // unreachable; the caller pauses and tries again
  } finally {
    await client.end().catch(() => undefined);
  }
};
