import { once } from "node:events";
import { Socket } from "node:net";

/** The sockets of a database's connections. The driver ends one by asking the server, which a host that vanished never answers. */
export interface Sockets {
  /** makes one for the driver, which probes the other side while it is silent (TCP keepalive) */
  readonly make: () => Socket;
  /** Resolves when all are closed; what is open after `graceMs` is destroyed. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** @param probeAfterMs silence before the first probe */
export const makeSockets = (probeAfterMs: number): Sockets => {
  const open = new Set<Socket>();
  return {
    make: () => {
      // Node applies these when it connects. They bound no wait for data that nobody acknowledges (TCP_USER_TIMEOUT): timers of ours do
      const socket = new Socket().setNoDelay(true).setKeepAlive(true, probeAfterMs);
      open.add(socket);
      socket.once("close", () => open.delete(socket));
      return socket;
    },
    close: async (graceMs) => {
      const over = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, graceMs);
      await Promise.all([...open].map((socket) => once(socket, "close")));
      clearTimeout(over);
    },
  };
};
