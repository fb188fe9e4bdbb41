import { fail, type GasFees, hasAddresses, judgeNetwork } from "@conclave/custody";
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { chainOf } from "../chain-of.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { commonErrors } from "../schemas/error.ts";
import { feesSchema } from "../schemas/holding.ts";

const LONGEST_NETWORK = 100;

const feesRoute = createRoute({
  method: "get",
  path: "/networks/fees",
  operationId: "getFees",
  summary: "What transactions on a network cost now, at each priority",
  ...requires(),
  request: { query: z.object({ network: z.string().max(LONGEST_NETWORK) }) },
  responses: {
    200: {
      description: "Fees in the smallest unit of the network's coin, a unit of gas",
      content: { "application/json": { schema: feesSchema } },
    },
    ...commonErrors,
  },
});

/** Adds the operations on networks. */
export const addNetworkRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(feesRoute, async (c) => {
    const network = demand(judgeNetwork(c.req.valid("query").network, dependencies.networks));
    if (!hasAddresses(network)) demand(fail("NetworkWithoutAddress", { network }));
    const levels = demand(await demand(chainOf(dependencies, network)).feeLevels());
    const level = ({ maxFeePerGas, maxPriorityFeePerGas }: GasFees) => ({
      maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
      maxFeePerGas: maxFeePerGas.toString(),
    });
    return c.json(
      {
        kind: "Eip1559" as const,
        network,
        blockNumber: Number(levels.blockNumber),
        baseFeePerGas: levels.baseFeePerGas.toString(),
        slow: level(levels.slow),
        standard: level(levels.standard),
        fast: level(levels.fast),
      },
      200,
    );
  });
};
