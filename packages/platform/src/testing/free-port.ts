import { freePorts } from "../free-ports.ts";

/** Finds a TCP port of 127.0.0.1 on which nobody listens, and which no other test gets. */
export const freePort = async (): Promise<number> => {
  const [port] = await freePorts(1);
  if (port === undefined) throw new RangeError("one port was asked for");
  return port;
};
