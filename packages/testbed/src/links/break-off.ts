import type { Socket } from "node:net";

/**
 * Closes a connection at once: with a reset, unless bytes wait to be written, because Node would write those first,
 * however long it takes.
 */
export const breakOff = (socket: Socket): void => {
  if (socket.pending || socket.writableLength > 0) socket.destroy();
  else socket.resetAndDestroy();
};
