import { createServer, type Server } from "node:http";
import type { ChainNode, EnabledNetwork } from "../../chain.ts";
import { withLittlePatience } from "../little-patience.ts";
import { nodeAt, ScriptedNode } from "../scripted-node.ts";
import type { RestAsked, Trouble } from "./tried-chain.ts";

/** Connects a client to the server at a URL. */
export type ConnectAt = (entry: EnabledNetwork, url: string) => ChainNode;

/** A fixed HTTP reply. */
interface Said {
  readonly status: number;
  readonly text: string;
}

const BUSY: Said = { status: 503, text: "<html><body>503 Service Unavailable</body></html>" };
/** Runs a function while a server listens, then closes the server and its connections. */
const whileServed = async <T>(server: Server, ask: (url: string) => Promise<T>): Promise<T> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  try {
    return await ask(`http://127.0.0.1:${address.port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
};

const saying = ({ status, text }: Said): Server =>
  createServer((_request, response) => void response.writeHead(status).end(text));

/** A server that begins an answer, and never ends it. */
const beginning = (text: string): Server =>
  createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(text);
  });

const SPOKEN: readonly (readonly [string, Said])[] = [
  ["answers 503", BUSY],
  ["answers 500 in JSON", { status: 500, text: '{"error":"Internal Server Error"}' }],
  ["answers what is no JSON", { status: 200, text: "<html><body>It works!</body></html>" }],
  ["answers JSON of another service", { status: 200, text: '{"status":"ok","jsonrpc":"2.0","id":1}' }],
];

const SILENT: readonly (readonly [string, () => Server])[] = [
  ["is silent", () => createServer()],
  ["is silent in the middle of its answer", () => beginning('{"jsonrpc":"2.0",')],
];

/** The troubles of a node over HTTP. */
export const wireTroubles = (connect: ConnectAt): readonly Trouble[] => [
  ...SPOKEN.map(
    ([name, said]): Trouble => ({
      name,
      meet: (entry, ask) => whileServed(saying(said), (url) => ask(connect(entry, url))),
    }),
  ),
  ...SILENT.map(
    ([name, serve]): Trouble => ({
      name,
      meet: (entry, ask) => withLittlePatience(() => whileServed(serve(), (url) => ask(connect(entry, url)))),
    }),
  ),
  {
    name: "is away",
    meet: async (entry, ask) => {
      const url = await whileServed(saying(BUSY), async (freed) => freed);
      return ask(connect(entry, url));
    },
  },
];

/** A server that replies 429 to every request, and counts the requests. */
export const restingWire =
  (connect: ConnectAt): RestAsked =>
  (entry, ask) => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(429, { "retry-after": "7" }).end("Too Many Requests");
    });
    return whileServed(server, (url) => ask(connect(entry, url), () => requests));
  };

/** A node that forwards this many requests, and answers all later ones with 503. */
export const falteringWire =
  (connect: ConnectAt, nodeUrl: string) =>
  (requests: number): Trouble => ({
    name: `falters after ${requests} requests`,
    meet: async (entry, ask) => {
      const node = new ScriptedNode(nodeAt(nodeUrl));
      node.answers = () => (node.asked.length > requests ? BUSY : undefined);
      await node.start();
      try {
        return await ask(connect(entry, node.url));
      } finally {
        await node.stop();
      }
    },
  });
