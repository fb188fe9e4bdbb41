import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A client's request to a node. */
export interface FrontRequest {
  readonly method: string;
  /** including the query */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A node's answer. */
export interface FrontAnswer {
  readonly status: number;
  readonly body: string;
}

/** How clients submit signed bytes to a family's nodes, and how the nodes answer. */
export interface FrontRules {
  /** The calls of a batch, each answered separately; undefined for a request that is no batch. */
  readonly pieces?: (request: FrontRequest) => readonly FrontRequest[] | undefined;
  /** Combines the answers of a batch. */
  readonly joined?: (answers: readonly FrontAnswer[]) => FrontAnswer;
  /** the signed bytes that a request submits, in hex; undefined for every other request */
  readonly broadcastIn: (request: FrontRequest) => string | undefined;
  /** Answers like a node that accepts the bytes. @param nodeUrl the node itself, which may be asked for their id */
  readonly taken: (request: FrontRequest, signed: string, nodeUrl: string) => Promise<FrontAnswer>;
  /** answers like a node that refuses the bytes */
  readonly refused: (request: FrontRequest, words: string) => FrontAnswer;
  /** rewrites a request before it goes to the node */
  readonly asked?: (request: FrontRequest) => FrontRequest;
}

/** A proxy between a cluster and a node. It forwards all reads; tests control the fate of broadcasts. */
export interface Front {
  readonly url: string;
  /** From now on answers that broadcasts are accepted, like the node, but forwards none. */
  swallow(): void;
  /** Forwards broadcasts again, except for refused bytes. */
  forward(): void;
  /** Refuses the next bytes submitted, permanently. @param words the node's own words */
  refuseNext(words: string): void;
  /** numbers of swallowed and of refused broadcasts */
  readonly swallowed: () => number;
  readonly refused: () => number;
  close(): Promise<void>;
}

type Mode =
  | { readonly kind: "forward" }
  | { readonly kind: "swallow" }
  | { readonly kind: "refuse"; readonly words: string };

const HANDED_ON = ["authorization", "content-type", "accept", "x-algo-api-token"];

const requestOf = async (message: IncomingMessage): Promise<FrontRequest> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const headers = HANDED_ON.flatMap((name): [string, string][] => {
    const value = message.headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  const { method = "GET", url: path = "/" } = message;
  return { method, path, headers: Object.fromEntries(headers), body: Buffer.concat(chunks) };
};

const handOn = async (
  nodeUrl: string,
  { method, path, headers, body }: FrontRequest,
): Promise<{ readonly answer: Response; readonly bytes: Buffer }> => {
  const hasBody = method !== "GET" && method !== "HEAD";
  const url = new URL(path, nodeUrl);
  const answer = await fetch(url, { method, headers, body: hasBody ? Buffer.from(body) : null });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
};

class Broadcasts {
  #mode: Mode = { kind: "forward" };
  #refusedBytes: string | undefined;
  #words = "";
  swallowed = 0;
  refused = 0;

  set mode(mode: Mode) {
    this.#mode = mode;
  }

  /** Answers in place of the node. @returns undefined if the request is to be forwarded */
  async answer(rules: FrontRules, request: FrontRequest, nodeUrl: string): Promise<FrontAnswer | undefined> {
    const signed = rules.broadcastIn(request);
    if (signed === undefined) return undefined;
    if (this.#mode.kind === "refuse") {
      [this.#refusedBytes, this.#words] = [signed, this.#mode.words];
      this.#mode = { kind: "forward" };
    }
    if (signed === this.#refusedBytes) {
      this.refused += 1;
      return rules.refused(request, this.#words);
    }
    if (this.#mode.kind === "forward") return undefined;
    this.swallowed += 1;
    return rules.taken(request, signed, nodeUrl);
  }
}

/**
 * Starts a proxy of a node on its own port.
 * @param urlOf the node's URL for a path
 */
export const startFront = async (urlOf: (path: string) => string, rules: FrontRules): Promise<Front> => {
  const broadcasts = new Broadcasts();
  const whole = ({ status, body }: FrontAnswer, response: ServerResponse): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(body);
  const one = async (piece: FrontRequest): Promise<FrontAnswer> => {
    const nodeUrl = urlOf(piece.path);
    const said = await broadcasts.answer(rules, piece, nodeUrl);
    if (said !== undefined) return said;
    const { answer, bytes } = await handOn(nodeUrl, piece);
    return { status: answer.status, body: bytes.toString() };
  };
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const given = await requestOf(message);
    const request = rules.asked?.(given) ?? given;
    const batch = rules.pieces?.(request);
    const pieces = batch ?? [request];
    if (pieces.every((piece) => rules.broadcastIn(piece) === undefined)) {
      const { answer, bytes } = await handOn(urlOf(request.path), request);
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(bytes);
      return;
    }
    const answers = await Promise.all(pieces.map(one));
    const [first] = answers;
    const joined = batch === undefined ? first : rules.joined?.(answers);
    if (joined === undefined) throw new Error("a batch is answered, and no rule joins the answers");
    whole(joined, response);
  };
  const server = createServer((message, response) => {
    // if the node has ended, its client sees a broken connection, as without the proxy
    serve(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the front has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    swallow: () => {
      broadcasts.mode = { kind: "swallow" };
    },
    forward: () => {
      broadcasts.mode = { kind: "forward" };
    },
    refuseNext: (words) => {
      broadcasts.mode = { kind: "refuse", words };
    },
    swallowed: () => broadcasts.swallowed,
    refused: () => broadcasts.refused,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
