import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { LosslessNumber, parse, stringify } from "lossless-json";
import { z } from "zod";

/** A node's answer: a status and a text, or none at all. */
export type NodeAnswer =
  | {
      readonly status: number;
      readonly text: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | "silence";

export interface NodeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** Headers of the connection, which are not forwarded. */
const OF_CONNECTION = ["connection", "content-encoding", "content-length", "date", "host", "keep-alive"];

const handedOn = (headers: Iterable<readonly [string, unknown]>): Record<string, string> =>
  Object.fromEntries(
    [...headers].flatMap(([name, value]) =>
      typeof value === "string" && !OF_CONNECTION.includes(name) && name !== "transfer-encoding"
        ? [[name, value] as const]
        : [],
    ),
  );

/** Forwards requests to the node at a URL. */
export const nodeAt =
  (url: string) =>
  async ({ method, path, headers, body }: NodeRequest): Promise<NodeAnswer> => {
    const answered = await fetch(`${url}${path}`, {
      method,
      headers: handedOn(Object.entries(headers)),
      body: method === "GET" ? null : Uint8Array.from(body),
    });
    return {
      status: answered.status,
      text: new Uint8Array(await answered.arrayBuffer()),
      headers: handedOn(answered.headers),
    };
  };

/** An answer's JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** The JSON of a request's body. */
export const bodyOf = ({ body }: NodeRequest): Json =>
  Object(JSON.parse(Buffer.from(body).toString() || "{}"));

const callSchema = z.object({ method: z.string(), params: z.array(z.unknown()).default([]) });

/** A call of JSON-RPC in a request. */
export const rpcCallOf = ({ body }: NodeRequest): z.infer<typeof callSchema> =>
  callSchema.parse(JSON.parse(Buffer.from(body).toString()));

/** Integers that JavaScript would round are kept exactly. */
const numberOf = (digits: string): number | LosslessNumber =>
  Number.isSafeInteger(Number(digits)) ? Number(digits) : new LosslessNumber(digits);

const jsonOf = (text: string | Uint8Array): unknown =>
  parse(Buffer.from(text).toString(), undefined, { parseNumber: numberOf });

/** @param body may hold bigints */
export const jsonAnswer = (body: unknown): NodeAnswer => ({ status: 200, text: stringify(body) ?? "" });

const isGiven = (header: readonly [string, string | undefined]): header is [string, string] =>
  header[1] !== undefined;

const isOf = (name: string, key: string): boolean =>
  key === "" || name === key || (key.startsWith("/") && name.startsWith(key));

/** A node over HTTP whose answers a test can replace. It records its requests. */
export class ScriptedNode {
  readonly #server: Server;
  readonly #behind: (request: NodeRequest) => Promise<NodeAnswer>;
  readonly #nameOf: (request: NodeRequest) => string;
  readonly asked: NodeRequest[] = [];
  /** answers that replace all others: by JSON-RPC method, by prefix of a path, or by "" for every request */
  readonly spoilt = new Map<string, NodeAnswer>();
  /** answers in place of the node, by the whole request; undefined leaves the answer to the node */
  answers: (request: NodeRequest) => NodeAnswer | undefined | Promise<NodeAnswer | undefined> = () =>
    undefined;

  /**
   * @param behind the real node's answers
   * @param nameOf the name of a request in `spoilt`
   */
  constructor(
    behind: (request: NodeRequest) => Promise<NodeAnswer>,
    nameOf: (request: NodeRequest) => string = ({ path }) => path,
  ) {
    this.#behind = behind;
    this.#nameOf = nameOf;
    this.#server = createServer(async (incoming, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(chunks) };
      this.asked.push(request);
      const scripted = this.#spoiltAnswer(nameOf(request)) ?? (await this.answers(request));
      if (scripted !== undefined) return send(response, scripted);
      // if the node gives no answer, the caller gets none either
      await behind(request).then(
        (answer) => send(response, answer),
        () => response.destroy(),
      );
    });
    // a test that keeps its thread busy for seconds would send on a connection that the server has just ended
    this.#server.keepAliveTimeout = 0;
  }

  /** Answers requests of a name without asking the node. @param body returns undefined to leave a request to the node */
  says(name: string, body: (request: NodeRequest) => unknown): void {
    const before = this.answers;
    this.answers = (request) => {
      const said = isOf(this.#nameOf(request), name) ? body(request) : undefined;
      return said === undefined ? before(request) : jsonAnswer(said);
    };
  }

  /**
   * Changes the node's own answers to requests of a name. @param change returns undefined, or a promise of it, to leave an
   * answer as it is
   */
  changes(name: string, change: (body: Json, request: NodeRequest) => unknown): void {
    const before = this.answers;
    this.answers = async (request) => {
      const answered = await before(request);
      if (!isOf(this.#nameOf(request), name)) return answered;
      const own = answered ?? (await this.#behind(request));
      if (own === "silence") return own;
      const changed = await change(Object(jsonOf(own.text)), request);
      return changed === undefined ? own : { ...own, text: stringify(changed) ?? "" };
    };
  }

  /** Changes headers of all the node's own answers. @param headers undefined removes a header */
  heads(headers: Readonly<Record<string, string | undefined>>): void {
    const before = this.answers;
    this.answers = async (request) => {
      const own = (await before(request)) ?? (await this.#behind(request));
      if (own === "silence") return own;
      const all = Object.entries({ ...own.headers, ...headers });
      return { ...own, headers: Object.fromEntries(all.filter(isGiven)) };
    };
  }

  /** Forgets recorded requests, and leaves all answers to the node again. */
  reset(): void {
    this.asked.length = 0;
    this.spoilt.clear();
    this.answers = () => undefined;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #spoiltAnswer(name: string): NodeAnswer | undefined {
    for (const [key, answer] of this.spoilt) if (isOf(name, key)) return answer;
    return undefined;
  }
}

const send = (response: ServerResponse, answer: NodeAnswer): void => {
  if (answer === "silence") return;
  const headers = { "content-type": "application/json", ...answer.headers };
  response.writeHead(answer.status, headers).end(answer.text);
};
