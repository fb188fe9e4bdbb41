import { z } from "zod";
import type { FrontAnswer, FrontRequest, FrontRules } from "../front.ts";

const callSchema = z.looseObject({
  id: z.unknown(),
  method: z.string(),
  params: z.array(z.unknown()).optional(),
});
type Call = z.infer<typeof callSchema>;

const textOf = ({ body }: FrontRequest): string => Buffer.from(body).toString();
const withBody = (request: FrontRequest, body: unknown): FrontRequest => ({
  ...request,
  body: Buffer.from(JSON.stringify(body)),
});

const parsedBody = (request: FrontRequest): unknown => {
  try {
    return JSON.parse(textOf(request));
  } catch {
    return undefined;
  }
};

/** The JSON-RPC call in a request; undefined if it is a batch or no call. */
export const callIn = (request: FrontRequest): Call | undefined =>
  callSchema.safeParse(parsedBody(request)).data;

/** The rules of a family whose nodes use JSON-RPC. */
export interface JsonCallRules {
  /** the method that submits signed bytes, as hex in its first parameter */
  readonly method: string;
  /** the node's result when it accepts the bytes */
  readonly idOf: (signed: string, nodeUrl: string) => Promise<string>;
  /** the error code and HTTP status of a refusal */
  readonly refusal: { readonly code: number; readonly status: number };
  /** members of every answer other than id, result and error */
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly asked?: (request: FrontRequest, call: Call | undefined) => FrontRequest;
}

/** Front rules for JSON-RPC nodes, which accept signed bytes in single calls and in batches. */
export const jsonCallRules = ({ method, idOf, refusal, envelope, asked }: JsonCallRules): FrontRules => {
  const answer = (request: FrontRequest, more: object, status = 200): FrontAnswer => ({
    status,
    body: JSON.stringify({ ...envelope, ...more, id: callIn(request)?.id }),
  });
  return {
    pieces: (request) => {
      const calls = z.array(callSchema).safeParse(parsedBody(request));
      return calls.success ? calls.data.map((call) => withBody(request, call)) : undefined;
    },
    joined: (answers) => ({ status: 200, body: `[${answers.map(({ body }) => body).join(",")}]` }),
    broadcastIn: (request) => {
      const call = callIn(request);
      const [signed] = call?.params ?? [];
      return call?.method === method && typeof signed === "string" ? signed : undefined;
    },
    taken: async (request, signed, nodeUrl) => answer(request, { result: await idOf(signed, nodeUrl) }),
    refused: (request, message) =>
      answer(request, { error: { code: refusal.code, message } }, refusal.status),
    ...(asked === undefined ? {} : { asked: (request) => asked(request, callIn(request)) }),
  };
};
