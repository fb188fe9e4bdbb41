import type { Context } from "hono";
import { jsonResponse } from "../../http/json-response.ts";
import type { ConnectionBindings } from "../../http/lost-reply.ts";
import { parseHorizonAddress } from "../address.ts";
import { accountEntry } from "../books.ts";
import { horizonTransactionJson } from "../horizon/transaction.ts";
import { latestLedger, recordNamed } from "../state.ts";
import { horizonProblem } from "./problem.ts";
import { type HorizonHost, stellarTime } from "./running.ts";

/** stroops: ten thousand lumens, the amount of the test network's friendbot */
const GIFT = 100_000_000_000n;
const INCLUSION_WAIT_MS = 55_000;

/** /friendbot?addr=…: creates an account with ten thousand lumens; answers once it exists. */
export const friendbotRoute =
  (host: HorizonHost) =>
  async (context: Context<ConnectionBindings>): Promise<Response> => {
    const address = parseHorizonAddress(context.req.query("addr") ?? "");
    if (address === undefined) {
      return horizonProblem("bad_request", {
        invalid_field: "addr",
        reason: "addr: is no account's address",
      });
    }
    if (accountEntry(host.state.books, address) !== undefined) {
      return horizonProblem("bad_request", { reason: "account already funded to starting balance" });
    }
    const [effect] = host.apply({ kind: "fund", address, amount: GIFT, time: stellarTime(host) });
    if (effect?.kind !== "submitted") return horizonProblem("server_over_capacity");
    const { id } = effect;
    const since = latestLedger(host.state).header.sequence;
    await host.until(
      (state) => recordNamed(state, id, since) !== undefined,
      INCLUSION_WAIT_MS,
      context.req.raw.signal,
    );
    const record = recordNamed(host.state, id);
    return record === undefined
      ? horizonProblem("timeout", { hash: id })
      : jsonResponse(horizonTransactionJson(record, new URL(context.req.url).origin));
  };
