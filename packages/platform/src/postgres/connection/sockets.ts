import { once } from "node:events";
import { Socket } from "node:net";

/**
 * The sockets of a database's connections. The driver closes a connection by asking the server, and a vanished host
 * never answers.
 */
export interface Sockets {
  /** makes a socket for the driver; it probes the other side while that is silent (TCP keepalive) */
  readonly make: () => Socket;
  /** Resolves when all sockets are closed; sockets still open after `graceMs` are destroyed. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** @param probeAfterMs silence before the first probe */
export const makeSockets = (probeAfterMs: number): Sockets => {
  const open = new Set<Socket>();
  return {
    make: () => {
      // Node applies these when it connects. They do not limit the wait for unacknowledged data (TCP_USER_TIMEOUT); our
      // own timers do
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
