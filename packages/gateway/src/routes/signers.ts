import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { forbiddenError } from "../schemas/error.ts";
import { signersSchema } from "../schemas/signers.ts";
import { answer, operation } from "./operation.ts";

const listSignersRoute = operation("get", "/signers", {
  operationId: "listSigners",
  summary: "List the signers, each with the key to which a client encrypts its share of an imported key",
  needs: ["Signers:ListSigners"],
  request: {},
  answers: { 200: answer("The signers", signersSchema), ...forbiddenError },
});

/** Adds the list of signers that clients read before an import (wire interface, section C.2). */
export const addSignerRoutes = (
  app: OpenAPIHono<GatewayEnv>,
  { signers }: Pick<Dependencies, "signers">,
): void => {
  app.openapi(listSignersRoute, (c) => c.json(signers, 200));
};
