import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

const HOST = "127.0.0.1";
/**
 * Below the ports from which Linux (32768) and macOS (49152) choose for outgoing connections: none of those takes a port
 * while its process starts again.
 */
const [LOWEST, HIGHEST] = [15_000, 32_000] as const;
const TRIES_MAX = 1_000;

const listen = (port: number): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host: HOST, exclusive: true }, () => resolve(server));
  });

const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return address.port;
};

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

const portIsFree = async (port: number): Promise<boolean> => {
  const server = await listen(port);
  if (server === undefined) return false;
  await close(server);
  return true;
};

/** Finds `count` different TCP ports of the loopback interface on which nobody listens. */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const held: Server[] = [];
  for (let tries = 0; held.length < count && tries < TRIES_MAX; tries++) {
    const server = await listen(randomInt(LOWEST, HIGHEST));
    if (server !== undefined) held.push(server);
  }
  const ports = held.map(portOf);
  await Promise.all(held.map(close));
  if (ports.length !== count) throw new Error(`too few free loopback ports between ${LOWEST} and ${HIGHEST}`);
  return ports;
};

export interface PortChoice {
  readonly name: string;
  readonly port: number;
  /** the preferred port, if something else uses it */
  readonly taken?: number;
}

/** Chooses each preferred port if it is free, otherwise another free port. */
export const choosePorts = async (
  wanted: Readonly<Record<string, number>>,
): Promise<readonly PortChoice[]> => {
  const entries = await Promise.all(
    Object.entries(wanted).map(async ([name, port]) => ({ name, port, free: await portIsFree(port) })),
  );
  const spare = [...(await freePorts(entries.filter(({ free }) => !free).length))];
  return entries.map(({ name, port, free }) => {
    const other = free ? undefined : spare.pop();
    return other === undefined ? { name, port } : { name, port: other, taken: port };
  });
};
