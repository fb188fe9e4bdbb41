import type { Context } from "hono";
import { boundedBody } from "../../http/bounded-body.ts";
import { jsonResponse } from "../../http/json-response.ts";
import type { ConnectionBindings } from "../../http/lost-reply.ts";
import { simulateGroup } from "../algod/simulation.ts";
import { algodError } from "./algod-error.ts";
import { formattedResponse } from "./formatted.ts";
import type { AlgodHost } from "./running.ts";

/** About twice the size of sixteen transactions with the longest notes. */
const SIMULATION_BYTES_MAX = 64 * 1024;
const REFUSED_STATUS = 400;

/** POST /v2/transactions/simulate */
export const simulationRoute =
  (host: AlgodHost) =>
  async (context: Context<ConnectionBindings>): Promise<Response> => {
    const bytes = await boundedBody(context.req.raw, SIMULATION_BYTES_MAX);
    if (bytes === undefined) return algodError("tooLarge");
    const simulated = simulateGroup(host.state, bytes);
    return simulated.ok
      ? formattedResponse(context.req.query("format"), simulated.value)
      : jsonResponse({ message: simulated.message }, REFUSED_STATUS);
  };
