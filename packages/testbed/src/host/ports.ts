import { createServer, type Server } from "node:net";

const HOST = "127.0.0.1";

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

/** Gets `count` different free TCP ports of the loopback interface from the kernel. */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  const held = servers.filter((server) => server !== undefined);
  if (held.length !== count) throw new Error("the kernel has no free loopback port left");
  const ports = held.map(portOf);
  await Promise.all(held.map(close));
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
