import { type Context, Hono } from "hono";
import { jsonResponse } from "../../http/json-response.ts";
import type { ConnectionBindings } from "../../http/lost-reply.ts";
import { parseAlgodAddress, toBase32 } from "../address.ts";
import { accountAssetJson, accountJson } from "../algod/account.ts";
import { assetJson } from "../algod/asset.ts";
import { pendingTransaction, pendingTransactions } from "../algod/pending.ts";
import { parametersJson, statusJson } from "../algod/status.ts";
import { type AlgodBlock, blockMap } from "../block.ts";
import { assetIn } from "../books.ts";
import { blockOfRound, latestBlock } from "../state.ts";
import { algodError } from "./algod-error.ts";
import { formattedResponse } from "./formatted.ts";
import type { AlgodHost } from "./running.ts";
import { simulationRoute } from "./simulation-route.ts";
import { submissionRoute } from "./submission-route.ts";

/** algod's WaitForBlockTimeout. */
const BLOCK_WAIT_MS = 60_000;
const TRANSACTION_ID = /^[A-Z2-7]{52}$/;
const NUMBER_DIGITS_MAX = 20;

type Request = Context<ConnectionBindings>;

/** An unsigned number in a path; undefined for any other text. */
const numberOf = (text: string | undefined): bigint | undefined =>
  text !== undefined && /^\d+$/.test(text) && text.length <= NUMBER_DIGITS_MAX ? BigInt(text) : undefined;

const accounts = (host: AlgodHost): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>()
    .get("/:address", (context) => {
      const address = parseAlgodAddress(context.req.param("address"));
      if (address === undefined) return algodError("address");
      return jsonResponse(accountJson(host.state, address, context.req.query("exclude")));
    })
    .get("/:address/assets/:asset", (context) => {
      const address = parseAlgodAddress(context.req.param("address"));
      const asset = numberOf(context.req.param("asset"));
      if (address === undefined) return algodError("address");
      if (asset === undefined) return algodError("assetId");
      const json = accountAssetJson(host.state, address, asset);
      return json === undefined ? algodError("accountAsset") : jsonResponse(json);
    });

const assets = (host: AlgodHost): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>().get("/:asset", (context) => {
    const id = numberOf(context.req.param("asset"));
    if (id === undefined) return algodError("assetId");
    const asset = assetIn(host.state.books, id);
    return asset === undefined ? algodError("asset") : jsonResponse(assetJson(id, asset));
  });

const transactions = (host: AlgodHost): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>()
    .post("/", submissionRoute(host))
    .post("/simulate", simulationRoute(host))
    .get("/params", () => jsonResponse(parametersJson(host.state)))
    .get("/pending", (context) => {
      const most = Number(numberOf(context.req.query("max")) ?? 0n);
      return formattedResponse(context.req.query("format"), pendingTransactions(host.state, most));
    })
    .get("/pending/:id", (context) => {
      const id = context.req.param("id");
      if (!TRANSACTION_ID.test(id)) return algodError("transactionId");
      const found = pendingTransaction(host.state, id);
      return found === undefined
        ? algodError("transaction")
        : formattedResponse(context.req.query("format"), found);
    });

/** Makes a handler that finds the block in the path and answers about it. */
const ofBlock =
  (host: AlgodHost, answer: (block: AlgodBlock, context: Request) => Response) =>
  (context: Request): Response => {
    const round = numberOf(context.req.param("round"));
    if (round === undefined) return algodError("round");
    const block = blockOfRound(host.state, round);
    return block === undefined ? algodError("block") : answer(block, context);
  };

const blocks = (host: AlgodHost): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>()
    .get(
      "/:round",
      ofBlock(host, (block, context) =>
        formattedResponse(
          context.req.query("format"),
          blockMap(block, context.req.query("header-only") === "true"),
        ),
      ),
    )
    .get(
      "/:round/hash",
      ofBlock(host, ({ hash }) => jsonResponse({ blockHash: toBase32(hash) })),
    )
    .get(
      "/:round/txids",
      ofBlock(host, (block) => jsonResponse({ blockTxids: [...block.transactions.keys()] })),
    );

const status = (host: AlgodHost): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>()
    .get("/", () => jsonResponse(statusJson(host.state, host.now)))
    .get("/wait-for-block-after/:round", async (context) => {
      const round = numberOf(context.req.param("round"));
      if (round === undefined) return algodError("round");
      const waited = await host.until(
        (state) => latestBlock(state).round > round,
        BLOCK_WAIT_MS,
        context.req.raw.signal,
      );
      return waited ? jsonResponse(statusJson(host.state, host.now)) : algodError("busy");
    });

const versions = (host: AlgodHost): Response =>
  jsonResponse({
    versions: ["v2"],
    genesis_id: host.state.genesis.id,
    genesis_hash_b64: Buffer.from(host.state.genesis.hash).toString("base64"),
    build: { major: 0, minor: 0, build_number: 0, branch: "", channel: "simulated", commit_hash: "" },
  });

/**
 * The part of algod's REST interface that the SDK needs to make payments, move assets, and follow blocks.
 * @param token the required X-Algo-API-Token; undefined requires none
 */
export const algodRoutes = (host: AlgodHost, token: string | undefined): Hono<ConnectionBindings> => {
  const routes = new Hono<ConnectionBindings>()
    .get("/health", () => jsonResponse(null))
    .get("/ready", () => jsonResponse(null));
  routes.use("*", async (context, next) => {
    if (token !== undefined && context.req.header("x-algo-api-token") !== token) return algodError("token");
    await next();
    return undefined;
  });
  return routes
    .get("/versions", () => versions(host))
    .route("/v2/accounts", accounts(host))
    .route("/v2/assets", assets(host))
    .route("/v2/transactions", transactions(host))
    .route("/v2/blocks", blocks(host))
    .route("/v2/status", status(host))
    .notFound(() => algodError("unknownRoute"));
};
