import { once } from "node:events";
import { createServer } from "node:net";

/** Finds a TCP port of 127.0.0.1 on which nobody listens. */
export const freePort = async (): Promise<number> => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a TCP server has no port");
  return address.port;
};
