import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

const HOST = "127.0.0.1";
/**
 * Below the ports that Linux (from 32768) and macOS (from 49152) use for outgoing connections, so that no connection
 * takes a port while its process restarts.
 */
const [LOWEST, HIGHEST] = [15_000, 32_000] as const;
const TRIES_MAX = 1_000;

const listen = (port: number): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host: HOST, exclusive: true }, () => resolve(server));
  });

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** Whether nobody listens on this port of the loopback interface. */
export const portIsFree = async (port: number): Promise<boolean> => {
  const server = await listen(port);
  if (server === undefined) return false;
  await close(server);
  return true;
};

/**
 * The ports between LOWEST and HIGHEST form blocks. A process owns a block while it listens on the block's first port,
 * so that the kernel frees the block when the process ends. It hands out each other port of the block once, so that
 * nobody else gets a port whose user does not listen yet, or restarts.
 */
const BLOCK = 50;
const BLOCKS = Math.floor((HIGHEST - LOWEST) / BLOCK);
const left: number[] = [];

const ownBlock = async (): Promise<readonly number[]> => {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const first = LOWEST + BLOCK * randomInt(BLOCKS);
    const owner = await listen(first);
    if (owner === undefined) continue;
    owner.unref();
    return Array.from({ length: BLOCK - 1 }, (_, place) => first + 1 + place);
  }
  throw new Error(`too few free loopback ports between ${LOWEST} and ${HIGHEST}`);
};

const nextPort = async (): Promise<number> => {
  for (;;) {
    const port = left.pop();
    if (port === undefined) left.push(...(await ownBlock()));
    else if (await portIsFree(port)) return port;
  }
};

/**
 * Finds `count` different free TCP ports of the loopback interface. No other process of ours gets them while this one
 * runs.
 */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await nextPort());
  return ports;
};
