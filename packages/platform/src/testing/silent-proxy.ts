import { once } from "node:events";
import { createServer, type Socket, connect as toServer } from "node:net";

/** Stands between a client and a server. When it falls silent it swallows what it is sent and closes nothing, as a host that vanished. */
export interface SilentProxy {
  /** the given URL, with the proxy's address */
  readonly url: string;
  /** Forwards nothing from now on, neither way, and answers new connections as little. */
  silence(): void;
  /** Forwards what connects from now on; what was swallowed stays lost. */
  restore(): void;
  /** Silence begins when a client has sent this text; the server has been given it. */
  silenceAfter(text: string): void;
  /** how many statements, or batches of them, a PostgreSQL server has answered: as often as it was ready for another one */
  readonly answers: () => number;
  /** how many clients have not said that they are gone */
  readonly clients: () => number;
  stop(): Promise<void>;
}

/** ReadyForQuery, but for the state of the transaction that it ends with: what a server of PostgreSQL sends after each round trip. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

/** @param url of the server, scheme://user:password@host:port/path */
export const startSilentProxy = async (url: string): Promise<SilentProxy> => {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let clients = 0;
  let answers = 0;
  const line: Line = { isSilent: false, trigger: undefined };
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    clients += 1;
    client.once("end", () => {
      clients -= 1;
    });
    const upstream = toServer({
      port: Number(target.port),
      host: target.hostname,
      allowHalfOpen: true,
    });
    keep(upstream);
    forward(line, client, upstream, true);
    forward(line, upstream, client, false);
    upstream.on("data", (bytes) => {
      if (bytes.includes(READY)) answers += 1;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const own = new URL(url);
  own.host = `127.0.0.1:${address.port}`;
  return {
    url: own.href,
    silence: () => {
      line.isSilent = true;
    },
    restore: () => {
      line.isSilent = false;
    },
    silenceAfter: (text) => {
      line.trigger = text;
    },
    answers: () => answers,
    clients: () => clients,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};

interface Line {
  isSilent: boolean;
  /** the bytes that begin the silence, when a client sends them */
  trigger: string | undefined;
}

const forward = (line: Line, from: Socket, to: Socket, isClient: boolean): void => {
  // swallowed bytes are lost: nothing after them is of use
  let isMute = false;
  from.on("data", (bytes) => {
    isMute ||= line.isSilent;
    if (isMute) return;
    to.write(bytes);
    if (!isClient || line.trigger === undefined || !bytes.includes(line.trigger)) return;
    line.isSilent = true;
    line.trigger = undefined;
  });
  from.once("end", () => {
    if (!isMute && !line.isSilent) to.end();
  });
  from.once("close", () => {
    if (!line.isSilent) to.destroy();
  });
};
