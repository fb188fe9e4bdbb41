import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that a system chooses for outgoing connections: none of these takes a port whose server starts again. */
const [LOWEST, HIGHEST] = [15_000, 32_000] as const;

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening"); // rejects with the server's error
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
};

/** Finds a TCP port of 127.0.0.1 on which nobody listens. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(LOWEST, HIGHEST);
  return (await isFree(port)) ? port : freePort();
};
