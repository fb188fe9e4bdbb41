import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { requires } from "../permission/requires.ts";
import { commonErrors, forbiddenError } from "../schemas/error.ts";
import { signersSchema } from "../schemas/signers.ts";

const listSignersRoute = createRoute({
  method: "get",
  path: "/signers",
  operationId: "listSigners",
  summary: "List the signers, each with the key to which a client encrypts its share of an imported key",
  ...requires("Signers:ListSigners"),
  responses: {
    200: { description: "The signers", content: { "application/json": { schema: signersSchema } } },
    ...commonErrors,
    ...forbiddenError,
  },
});

/** Adds the listing that clients ask for before an import (wire interface, section C.2). */
export const addSignerRoutes = (
  app: OpenAPIHono<GatewayEnv>,
  { signers }: Pick<Dependencies, "signers">,
): void => {
  app.openapi(listSignersRoute, (c) => c.json(signers, 200));
};
