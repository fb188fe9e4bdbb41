import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";

/** Gives routes access to the connection of a request. */
export interface ConnectionBindings {
  Bindings: HttpBindings;
}

/** Closes the connection instead of answering, so that the caller cannot know whether the request took effect. */
export const loseReply = (context: Context<ConnectionBindings>): Response => {
  context.env.outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
};
