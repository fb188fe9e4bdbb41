import { Hono } from "hono";
import { jsonResponse } from "../../http/json-response.ts";
import type { ConnectionBindings } from "../../http/lost-reply.ts";
import type { JavaTronView } from "../state.ts";
import { FULL_NODE_ANSWERS, type JavaTronAnswer, SHARED_ANSWERS } from "./answers.ts";
import { javaTronBroadcastRoutes } from "./broadcast-routes.ts";
import { JavaTronBadRequest, JavaTronRequest } from "./request.ts";
import type { JavaTronNode } from "./running.ts";

const UNAUTHORIZED = 401;
const NOT_FOUND = 404;

/** Routes that answer GET and POST alike, as a node does. */
const answering = (
  node: JavaTronNode,
  answers: Readonly<Record<string, JavaTronAnswer>>,
  view: JavaTronView,
): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>().on(["GET", "POST"], "/:method", async (context, next) => {
    const name = context.req.param("method");
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
    if (answer === undefined) return next();
    return jsonResponse(await answer(node, await JavaTronRequest.of(context), view));
  });

/**
 * A full node at /wallet and a solidity node at /walletsolidity, on one port, as public endpoints serve them.
 * @param token the required TRON-PRO-API-KEY; undefined requires none
 */
export const javaTronRoutes = (node: JavaTronNode, token: string | undefined): Hono<ConnectionBindings> => {
  const routes = new Hono<ConnectionBindings>();
  routes.use("*", async (context, next) => {
    if (token !== undefined && context.req.header("tron-pro-api-key") !== token) {
      return jsonResponse({ Error: "ApiKey not exists" }, UNAUTHORIZED);
    }
    return next();
  });
  routes.onError((error) => {
    if (!(error instanceof JavaTronBadRequest)) throw error;
    return jsonResponse({ Error: `class java.lang.IllegalArgumentException : ${error.message}` });
  });
  return routes
    .route("/wallet", javaTronBroadcastRoutes(node))
    .route("/wallet", answering(node, { ...SHARED_ANSWERS, ...FULL_NODE_ANSWERS }, "latest"))
    .route("/walletsolidity", answering(node, SHARED_ANSWERS, "solid"))
    .notFound(() => jsonResponse({ Error: "there is no such method here" }, NOT_FOUND));
};
