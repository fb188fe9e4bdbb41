import { fail, familyOf, hasAddresses, judgeNetwork, takesPriority } from "@conclave/custody";
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { chainOf } from "../chain-request/chain-of.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { feesSchema } from "../schemas/holding.ts";
import { answer, operation } from "./operation.ts";

const LONGEST_NETWORK = 100;

const feesRoute = operation("get", "/networks/fees", {
  operationId: "getFees",
  summary: "What transactions on a network cost now, at each priority",
  needs: [],
  request: { query: z.object({ network: z.string().max(LONGEST_NETWORK) }) },
  answers: {
    200: answer(
      "Fees: wei for a unit of gas, satoshis for a virtual byte, micro-lamports for a compute unit",
      feesSchema,
    ),
  },
});

/** Adds the operations on networks. */
export const addNetworkRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(feesRoute, async (c) => {
    const network = demand(judgeNetwork(c.req.valid("query").network, dependencies.networks));
    if (!hasAddresses(network)) demand(fail("NetworkWithoutAddress", { network }));
    if (!takesPriority(familyOf(network))) demand(fail("PriorityNotSupported", { network }));
    const levels = demand(await demand(chainOf(dependencies, network)).feeLevels());
    // clients of the first generations require the base fee as a number
    const older = levels.kind === "Eip1559" ? { estimatedBaseFee: Number(levels.baseFeePerGas) } : {};
    return c.json({ ...levels, ...older, network }, 200);
  });
};
