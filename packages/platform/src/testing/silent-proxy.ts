import { once } from "node:events";
import { createServer, type Socket, connect as toServer } from "node:net";

/** A proxy between a client and a server. While silent it swallows all data and closes nothing, like a vanished host. */
export interface SilentProxy {
  /** the given URL, with the proxy's address */
  readonly url: string;
  /** From now on forwards nothing in either direction, and does not answer new connections. */
  silence(): void;
  /** From now on forwards new connections; swallowed data stays lost. */
  restore(): void;
  /** Silence begins after the proxy has forwarded this text from a client to the server. */
  silenceAfter(text: string): void;
  /** number of statements (or batches) that a PostgreSQL server has answered, counted by its ReadyForQuery messages */
  readonly answers: () => number;
  /** number of clients that have not closed their connection */
  readonly clients: () => number;
  stop(): Promise<void>;
}

/** The begin of ReadyForQuery, without the transaction status at its end: PostgreSQL sends it after each round trip. */
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
  /** the bytes of a client after which silence begins */
  trigger: string | undefined;
}

const forward = (line: Line, from: Socket, to: Socket, isClient: boolean): void => {
  // once bytes were swallowed, the rest of the connection is useless
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
