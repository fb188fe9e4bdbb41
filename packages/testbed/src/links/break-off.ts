import type { Socket } from "node:net";

/** Ends a connection at once, by a reset where nothing waits to be written: Node sends what waits before a reset, however long it takes. */
export const breakOff = (socket: Socket): void => {
  if (socket.pending || socket.writableLength > 0) socket.destroy();
  else socket.resetAndDestroy();
};
