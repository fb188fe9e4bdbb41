import { type Context, Hono } from "hono";
import { jsonResponse } from "../../http/json-response.ts";
import type { ConnectionBindings } from "../../http/lost-reply.ts";
import { type HorizonAddress, parseHorizonAddress } from "../address.ts";
import { dataValue, horizonAccountJson } from "../horizon/account.ts";
import { assetRecords } from "../horizon/assets.ts";
import { effectsAt, effectsIn, horizonEffectJson } from "../horizon/effects.ts";
import { feeStatsJson } from "../horizon/fee-stats.ts";
import { horizonLedgerJson } from "../horizon/ledger.ts";
import {
  type HorizonPlacedOperation,
  horizonOperationJson,
  horizonOperationsOf,
  isPaymentOf,
  paymentsOf,
} from "../horizon/operation.ts";
import { placeOf, placeOfLedger } from "../horizon/paging.ts";
import { horizonRootJson } from "../horizon/root.ts";
import { horizonTransactionJson } from "../horizon/transaction.ts";
import type { HorizonLedger, HorizonRecord } from "../ledger.ts";
import { eldestLedger, latestLedger, ledgerOf, recordNamed, recordsOf } from "../state.ts";
import { isResultOfSuccess } from "../transaction/validity.ts";
import { friendbotRoute } from "./friendbot.ts";
import { listResponse } from "./lists.ts";
import { horizonProblem } from "./problem.ts";
import { stellarRpcRoute } from "./rpc-route.ts";
import type { HorizonHost } from "./running.ts";
import { horizonAsyncSubmissionRoute, horizonSubmissionRoute } from "./submission-route.ts";

const SEQUENCE_DIGITS_MAX = 10;
const PLACE_DIGITS_MAX = 19;
const ASSETS_AT_ONCE = 200;

type Request = Context<ConnectionBindings>;
type Routes = Hono<ConnectionBindings>;

const originOf = (context: Request): string => new URL(context.req.url).origin;

/** Horizon lists failed transactions only on request. */
const includesFailed = (context: Request): boolean => context.req.query("include_failed") === "true";

const transactionList = (host: HorizonHost, context: Request, records: readonly HorizonRecord[]): Response =>
  listResponse(host, context, {
    all: records.filter(({ result }) => includesFailed(context) || isResultOfSuccess(result)),
    placed: placeOf,
    json: (record) => horizonTransactionJson(record, originOf(context)),
  });

const operationList = (
  host: HorizonHost,
  context: Request,
  all: readonly HorizonPlacedOperation[],
): Response =>
  listResponse(host, context, {
    all,
    placed: ({ place }) => place,
    json: (operation) =>
      horizonOperationJson(operation, originOf(context), context.req.query("join") === "transactions"),
  });

const paymentList = (
  host: HorizonHost,
  context: Request,
  records: readonly HorizonRecord[],
  address?: HorizonAddress,
): Response => {
  const payments = records
    .flatMap((record) => paymentsOf(record, includesFailed(context)))
    .filter((payment) => address === undefined || isPaymentOf(payment, address));
  return operationList(host, context, payments);
};

/** Reads the account in the path, and answers about it. */
const ofAccount =
  (answer: (address: HorizonAddress, context: Request) => Response) =>
  (context: Request): Response => {
    const address = parseHorizonAddress(context.req.param("id") ?? "");
    return address === undefined
      ? horizonProblem("bad_request", {
          invalid_field: "account_id",
          reason: "Account ID must start with `G` and contain 56 alphanum characters",
        })
      : answer(address, context);
  };

const accounts = (host: HorizonHost): Routes =>
  new Hono<ConnectionBindings>()
    .get(
      "/:id",
      ofAccount((address, context) => {
        const json = horizonAccountJson(host.state, address, originOf(context));
        return json === undefined ? horizonProblem("not_found") : jsonResponse(json);
      }),
    )
    .get(
      "/:id/data/:name",
      ofAccount((address, context) => {
        const value = dataValue(host.state, address, context.req.param("name") ?? "");
        return value === undefined ? horizonProblem("not_found") : jsonResponse({ value });
      }),
    )
    .get(
      "/:id/transactions",
      ofAccount((address, context) => {
        const own = recordsOf(host.state).filter(({ participants }) => participants.has(address));
        return transactionList(host, context, own);
      }),
    )
    .get(
      "/:id/payments",
      ofAccount((address, context) => paymentList(host, context, recordsOf(host.state), address)),
    );

/** Upper bound of the effects of one operation. */
const EFFECTS_OF_AN_OPERATION = 4_096n;

const ofTransaction =
  (host: HorizonHost, answer: (record: HorizonRecord, context: Request) => Response) =>
  (context: Request): Response => {
    const id = context.req.param("hash") ?? "";
    if (!/^[0-9a-f]{64}$/.test(id)) {
      return horizonProblem("bad_request", { invalid_field: "tx_id", reason: "tx_id: is no hash" });
    }
    const record = recordNamed(host.state, id);
    return record === undefined ? horizonProblem("not_found") : answer(record, context);
  };

const transactions = (host: HorizonHost): Routes =>
  new Hono<ConnectionBindings>()
    .post("/", horizonSubmissionRoute(host))
    .get("/", (context) => transactionList(host, context, recordsOf(host.state)))
    .get(
      "/:hash",
      ofTransaction(host, (record, context) =>
        jsonResponse(horizonTransactionJson(record, originOf(context))),
      ),
    )
    .get(
      "/:hash/payments",
      ofTransaction(host, (record, context) => paymentList(host, context, [record])),
    )
    .get(
      "/:hash/effects",
      ofTransaction(host, (record, context) =>
        listResponse(host, context, {
          all: effectsIn(host.state, record),
          placed: ({ operationPlace, number }) => operationPlace * EFFECTS_OF_AN_OPERATION + BigInt(number),
          json: (effect) => horizonEffectJson(effect, originOf(context)),
        }),
      ),
    );

const ofLedger =
  (host: HorizonHost, answer: (ledger: HorizonLedger, context: Request) => Response) =>
  (context: Request): Response => {
    const text = context.req.param("sequence") ?? "";
    if (!/^\d+$/.test(text) || text.length > SEQUENCE_DIGITS_MAX) {
      return horizonProblem("bad_request", { invalid_field: "ledger_id", reason: "ledger_id: is no number" });
    }
    const sequence = Number(text);
    const ledger = ledgerOf(host.state, sequence);
    if (ledger !== undefined) return answer(ledger, context);
    const isForgotten = sequence > 0 && sequence < eldestLedger(host.state).header.sequence;
    return horizonProblem(isForgotten ? "before_history" : "not_found");
  };

const ledgers = (host: HorizonHost): Routes =>
  new Hono<ConnectionBindings>()
    .get("/", (context) =>
      listResponse(host, context, {
        all: host.state.ledgers,
        placed: ({ header }) => placeOfLedger(header.sequence),
        json: (ledger) => horizonLedgerJson(ledger, originOf(context)),
      }),
    )
    .get(
      "/:sequence",
      ofLedger(host, (ledger, context) => jsonResponse(horizonLedgerJson(ledger, originOf(context)))),
    )
    .get(
      "/:sequence/transactions",
      ofLedger(host, (ledger, context) => transactionList(host, context, ledger.transactions)),
    )
    .get(
      "/:sequence/operations",
      ofLedger(host, ({ transactions: records }, context) => {
        const all = records.flatMap((record) => horizonOperationsOf(record, includesFailed(context)));
        return operationList(host, context, all);
      }),
    )
    .get(
      "/:sequence/payments",
      ofLedger(host, (ledger, context) => paymentList(host, context, ledger.transactions)),
    );

/** The effects of one operation. A merge needs them: the operation itself does not state the amount. */
const operations = (host: HorizonHost): Routes =>
  new Hono<ConnectionBindings>().get("/:id/effects", (context) => {
    const text = context.req.param("id");
    if (!/^\d+$/.test(text) || text.length > PLACE_DIGITS_MAX) {
      return horizonProblem("bad_request", { invalid_field: "op_id", reason: "op_id: is no number" });
    }
    const effects = effectsAt(host.state, BigInt(text));
    if (effects === undefined) return horizonProblem("not_found");
    return listResponse(host, context, {
      all: effects,
      placed: ({ number }) => BigInt(number),
      json: (effect) => horizonEffectJson(effect, originOf(context)),
    });
  });

/**
 * The part of Horizon that the SDK needs to make and follow payments and, under /rpc, the part of Stellar RPC that it
 * needs for contracts.
 * @param token that `Authorization: Bearer` must carry; undefined requires none
 */
export const horizonRoutes = (host: HorizonHost, token: string | undefined): Routes => {
  const routes = new Hono<ConnectionBindings>();
  routes.use("*", async (context, next) => {
    if (token !== undefined && context.req.header("authorization") !== `Bearer ${token}`) {
      return jsonResponse({ title: "Unauthorized", status: 401 }, 401);
    }
    await next();
    // tells clients which ledger the answer reflects, which a proof that a transaction never happened needs
    context.header("Latest-Ledger", String(latestLedger(host.state).header.sequence));
    return undefined;
  });
  return routes
    .get("/", (context) => jsonResponse(horizonRootJson(host.state, originOf(context))))
    .get("/fee_stats", () => jsonResponse(feeStatsJson(host.state)))
    .get("/friendbot", friendbotRoute(host))
    .post("/friendbot", friendbotRoute(host))
    .get("/assets", (context) => {
      const wanted = { code: context.req.query("asset_code"), issuer: context.req.query("asset_issuer") };
      const records = assetRecords(host.state.books, wanted, ASSETS_AT_ONCE, originOf(context));
      return jsonResponse({ _links: {}, _embedded: { records } });
    })
    .get("/payments", (context) => paymentList(host, context, recordsOf(host.state)))
    .post("/transactions_async", horizonAsyncSubmissionRoute(host))
    .post("/rpc", stellarRpcRoute(host))
    .route("/accounts", accounts(host))
    .route("/transactions", transactions(host))
    .route("/ledgers", ledgers(host))
    .route("/operations", operations(host))
    .notFound(() => horizonProblem("not_found"));
};
