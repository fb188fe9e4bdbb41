import { Hono } from "hono";
import { z } from "zod";
import type { LedgerJson } from "../json.ts";
import { boundedBody } from "./bounded-body.ts";
import { jsonResponse } from "./json-response.ts";
import type { ConnectionBindings } from "./lost-reply.ts";

const BODY_BYTES_MAX = 4_096;

/** An operator's action on a simulated ledger. */
export interface AdminAction {
  /** Validates the input, and performs the action. @returns the answer, or a refusal with its status */
  readonly perform: (input: unknown) => Promise<Response>;
}

/** @param run performs the action with the validated input */
export const adminAction = <Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>) => LedgerJson | Response | Promise<LedgerJson | Response>,
): AdminAction => ({
  perform: async (input) => {
    const parsed = schema.safeParse(input);
    if (!parsed.success) return jsonResponse({ message: z.prettifyError(parsed.error) }, 400);
    const answer = await run(parsed.data);
    return answer instanceof Response ? answer : jsonResponse(answer);
  },
});

const parseJson = (bytes: Uint8Array): unknown => {
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

/**
 * POST /{action} with JSON performs an action; GET / shows the state. Serve this on loopback only: any client that
 * reaches it controls the ledger. Web pages cannot call it, because a browser sends a CORS preflight before JSON to
 * another origin, and this never allows one.
 */
export const adminRoutes = (
  actions: Readonly<Record<string, AdminAction>>,
  view: () => LedgerJson,
): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>()
    .get("/", () => jsonResponse(view()))
    .post("/:action", async (context) => {
      const name = context.req.param("action");
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
      if (action === undefined) {
        const known = Object.keys(actions).join(", ");
        return jsonResponse({ message: `there is no action ${name}; there are: ${known}` }, 404);
      }
      if (context.req.header("content-type")?.split(";")[0]?.trim() !== "application/json") {
        return jsonResponse({ message: "send JSON, with content-type: application/json" }, 415);
      }
      const body = await boundedBody(context.req.raw, BODY_BYTES_MAX);
      if (body === undefined) {
        return jsonResponse({ message: `the body is longer than ${BODY_BYTES_MAX} bytes` }, 413);
      }
      return action.perform(parseJson(body));
    });
