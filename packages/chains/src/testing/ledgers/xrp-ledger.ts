import { z } from "zod";
import { type Json, type NodeRequest, rpcCallOf } from "../scripted-node.ts";
import { XRPL_RECIPIENT, XRPL_SENDER, XRPL_TESTNET } from "../xrpl-samples.ts";
import { openScriptedLedger, type ScriptedLedger } from "./scripted-ledger.ts";

/** The ledger index in which accounts receive their first drops; it is their first Sequence. */
const FIRST_DROPS_IN = 500;
/** Number of validated ledgers when a test begins. */
export const XRPL_AGE = 1_000;

const answerSchema = z.object({ result: z.record(z.string(), z.unknown()) });
/** The result that a test wants for a call; undefined leaves it to the ledger. */
type Change = (params: Json, result: Json) => object | undefined;

export interface ScriptedXrpLedger extends ScriptedLedger {
  /** Calls the ledger itself. @returns its result */
  rpc(method: string, params?: object): Promise<Json>;
  /** Replaces all results of a method; the calls do not reach the ledger. */
  says(method: string, result: object): void;
  /** Changes the ledger's own results of a method. */
  changes(method: string, change: Change): void;
  /** Changes the ledger's record of an account. */
  shows(address: string, account: object, more?: object): void;
  /** The calls so far. */
  calls(method?: string): readonly { readonly method: string; readonly params: Json }[];
}

const callOf = (request: NodeRequest): { readonly method: string; readonly params: Json } => {
  const { method, params } = rpcCallOf(request);
  return { method, params: z.record(z.string(), z.unknown()).parse(params[0] ?? {}) };
};

/**
 * An XRP Ledger chain with a thousand validated ledgers. The accounts received their first drops in the 500th, so their
 * Sequence is 500.
 * @param accounts drops by address
 */
export const openAgedXrpLedger = async (
  accounts: Readonly<Record<string, number>> = { [XRPL_SENDER]: 100_000_000, [XRPL_RECIPIENT]: 1_000_000 },
): Promise<ScriptedXrpLedger> => {
  const ledger = await openScriptedLedger("XrpLedger", String(XRPL_TESTNET.networkId));
  await ledger.mine(FIRST_DROPS_IN - 2);
  for (const [address, amount] of Object.entries(accounts)) await ledger.admin("fund", { address, amount });
  await ledger.mine(1 + XRPL_AGE - FIRST_DROPS_IN);
  const rpc: ScriptedXrpLedger["rpc"] = async (method, params = {}) => {
    const body = JSON.stringify({ method, params: [{ api_version: 2, ...params }] });
    const headers = { "content-type": "application/json" };
    const answered = await fetch(ledger.url, { method: "POST", headers, body });
    return answerSchema.parse(await answered.json()).result;
  };
  const changes: ScriptedXrpLedger["changes"] = (method, change) =>
    ledger.node.changes(method, (answered, request) => {
      const result = change(callOf(request).params, Object(answered["result"]));
      return result && { result };
    });
  return {
    ...ledger,
    rpc,
    changes,
    says: (method, result) => ledger.node.says(method, () => ({ result: { status: "success", ...result } })),
    shows: (address, account, more = {}) =>
      changes("account_info", ({ account: asked }, result) =>
        asked === address
          ? { ...result, account_data: { ...Object(result["account_data"]), ...account }, ...more }
          : undefined,
      ),
    calls: (method) => {
      const calls = ledger.node.asked.map(callOf);
      return method === undefined ? calls : calls.filter((call) => call.method === method);
    },
  };
};
