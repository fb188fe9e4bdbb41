import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";

/** The connection of a request, as routes know it. */
export interface ConnectionBindings {
  Bindings: HttpBindings;
}

/** Closes the connection in place of an answer: the caller cannot know what became of the request. */
export const loseReply = (context: Context<ConnectionBindings>): Response => {
  context.env.outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
};
