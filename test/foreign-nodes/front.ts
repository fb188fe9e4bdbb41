import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A request of a client to a node. */
export interface FrontRequest {
  readonly method: string;
  /** with its query */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An answer of a node. */
export interface FrontAnswer {
  readonly status: number;
  readonly body: string;
}

/** How a family's nodes are handed signed bytes, and what they say then. */
export interface FrontRules {
  /** The calls of a batch, each of which is answered alone; undefined for a request that is no batch. */
  readonly pieces?: (request: FrontRequest) => readonly FrontRequest[] | undefined;
  /** Puts the answers of a batch together. */
  readonly joined?: (answers: readonly FrontAnswer[]) => FrontAnswer;
  /** the signed bytes that a request hands over, in hex; undefined for every other request */
  readonly broadcastIn: (request: FrontRequest) => string | undefined;
  /** Answers as the node does when it takes the bytes. @param nodeUrl the node itself, which may be asked for their id */
  readonly taken: (request: FrontRequest, signed: string, nodeUrl: string) => Promise<FrontAnswer>;
  /** answers as the node does when it refuses them */
  readonly refused: (request: FrontRequest, words: string) => FrontAnswer;
  /** the question to the node in place of a request */
  readonly asked?: (request: FrontRequest) => FrontRequest;
}

/** Stands between a cluster and a node. All reads are the node's; what becomes of broadcasts is said here. */
export interface Front {
  readonly url: string;
  /** From now on says "taken", as the node would, and hands on nothing. */
  swallow(): void;
  /** Hands broadcasts on again, but for the bytes that are refused. */
  forward(): void;
  /** Refuses the next bytes that are handed over, and the same bytes for ever. @param words the node's own */
  refuseNext(words: string): void;
  /** how many broadcasts were swallowed, and how many refused */
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

  /** Answers in place of the node. @returns undefined where the node answers */
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
 * Starts a front of a node on a port of its own.
 * @param urlOf gives where the node serves a path
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
    // a node that has ended: its client learns it as it would without a front
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
