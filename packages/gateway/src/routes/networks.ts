import { fail, hasAddresses, judgeNetwork } from "@conclave/custody";
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { chainOf } from "../chain-request/chain-of.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import {
  CALL_FUNCTION_EXAMPLES,
  READ_CONTRACT_EXAMPLES,
  REINDEX_TRANSACTION_EXAMPLES,
} from "../document/examples/networks.ts";
import { demand } from "../http/refused.ts";
import { reindexTransaction } from "../reindex/reindex-transaction.ts";
import {
  callErrors,
  callFunctionBodySchema,
  callFunctionParams,
  contractAnswerSchema,
  readContractBodySchema,
} from "../schemas/contract-call.ts";
import { chainErrors, notFinalError } from "../schemas/error.ts";
import { feesSchema } from "../schemas/holding.ts";
import { reindexedSchema, reindexTransactionBodySchema } from "../schemas/reindex.ts";
import { chainWithContracts, networkOfKebab } from "../wallet/contract-call.ts";
import { answer, bodyOf, changeErrors, operation } from "./operation.ts";

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

const callFunctionRoute = operation("post", "/networks/{network}/call-function", {
  operationId: "callFunction",
  summary: "Ask a contract of an EVM network for what a function of it answers; nothing is signed or changed",
  needs: [],
  request: { params: callFunctionParams, body: bodyOf(callFunctionBodySchema, CALL_FUNCTION_EXAMPLES) },
  answers: { 200: answer("The function's output, or a list of several", z.unknown()), ...callErrors },
});

const readContractRoute = operation("post", "/networks/read-contract", {
  operationId: "readContract",
  summary:
    "As `callFunction`, with call data and an answer that are encoded already: for clients up to 0.8.3",
  needs: [],
  request: { body: bodyOf(readContractBodySchema, READ_CONTRACT_EXAMPLES) },
  answers: { 200: answer("What the contract answers", contractAnswerSchema), ...callErrors },
});

const reindexRoute = operation("post", "/networks/{network}/transactions/reindex", {
  operationId: "reindexTransaction",
  summary: "Record a final transaction that is missing from the histories of wallets or watched addresses",
  needs: ["Networks:Transactions:Reindex"],
  request: {
    params: callFunctionParams,
    body: bodyOf(reindexTransactionBodySchema, REINDEX_TRANSACTION_EXAMPLES),
  },
  answers: {
    200: answer("It is recorded", reindexedSchema),
    ...changeErrors,
    ...chainErrors,
    ...notFinalError,
  },
});

/** Adds the operations on networks. */
export const addNetworkRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(feesRoute, async (c) => {
    const network = demand(judgeNetwork(c.req.valid("query").network, dependencies.networks));
    if (!hasAddresses(network)) demand(fail("NetworkWithoutAddress", { network }));
    if (dependencies.families.familyOf(network).takesPriority !== true)
      demand(fail("PriorityNotSupported", { network }));
    const levels = demand(await demand(chainOf(dependencies, network)).feeLevels());
    // clients of the first generation require the base fee as a number
    const older = levels.kind === "Eip1559" ? { estimatedBaseFee: Number(levels.baseFeePerGas) } : {};
    return c.json({ ...levels, ...older, network }, 200);
  });
  app.openapi(callFunctionRoute, async (c) => {
    const { contract, abi, calldata } = c.req.valid("json");
    const network = networkOfKebab(c.req.valid("param").network, dependencies.networks);
    const chain = demand(chainWithContracts(dependencies, network));
    return c.json(demand(await chain.callFunction(contract, abi, calldata ?? [])), 200);
  });
  app.openapi(readContractRoute, async (c) => {
    const { kind, network, contract, data } = c.req.valid("json");
    const chain = demand(chainWithContracts(dependencies, network));
    return c.json({ kind, data: demand(await chain.callContract(contract, data)) }, 200);
  });
  app.openapi(reindexRoute, async (c) => {
    const name = networkOfKebab(c.req.valid("param").network, dependencies.networks);
    const network = demand(judgeNetwork(name, dependencies.networks));
    if (!hasAddresses(network)) demand(fail("NetworkWithoutAddress", { network }));
    const { txHash } = c.req.valid("json");
    demand(await reindexTransaction(dependencies, c.get("caller"), network, txHash));
    return c.json({ success: true as const }, 200);
  });
};
